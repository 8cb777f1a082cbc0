"""The set of claims, their output formats, and tables with missing numbers."""

import json
import math
import re
import warnings
from html.parser import HTMLParser

import numpy as np
import pytest
from helpers.claim_verdicts import IDS, NO, OPEN, UNSURE, YES, claim, verdicts
from helpers.synthetic_curves import EMPTY
from helpers.synthetic_results import Results

from ezdl_cli.claims import CLAIMS, findings
from ezdl_cli.claims.claim import (
    Finding,
    Measure,
    above,
    at_least,
    judge,
    reported,
    within,
    worst,
)
from ezdl_cli.claims.claim_formats import (
    basis_text,
    load_findings,
    measure_text,
    number_text,
    remarks,
    requirement,
    to_json,
    to_markdown,
    value_text,
    verdict_text,
)
from ezdl_cli.claims.evidence import Evidence
from ezdl_cli.errors import InputError
from ezdl_cli.experiments.bootstrap import Estimate
from ezdl_cli.figures import FIGURES
from ezdl_cli.report.claim_cards import claims_section

# Parameters of EZDL, ODL or RLS-DLA alone: empty for the others, so that rows do not count.
MAY_BE_EMPTY = {"sigma_h", "lambda", "zeta", "eta0", "atom_rank"}
ALL_YES = dict.fromkeys(IDS, YES)
N_CELLS = 12  # per column, in which numbers are missing


def test_all_57_claims_are_in_the_order_of_the_paper():
    assert tuple(claim.id for claim in CLAIMS) == IDS and len(IDS) == 57
    for one in CLAIMS:
        assert one.statement.endswith(".") and one.condition and one.paper
        assert set(one.figures) <= set(FIGURES)
        assert bool(one.old_condition) == bool(one.old_check)
    revised = {one.id for one in CLAIMS if one.old_condition}
    assert revised == {"P4", "P5", "P6", "D1", "D2", "D10", "S4", "S6", "N3"}


def test_synthetic_results_reproduce_every_claim(tmp_path):
    assert verdicts(Results().write(tmp_path)) == ALL_YES


def test_tables_given_one_by_one_are_the_only_evidence(tmp_path):
    folder = Results().write(tmp_path)
    tables = list(folder.rglob("*.csv"))
    assert verdicts(*tables) == ALL_YES
    assert verdicts(*(table for table in tables if "history" not in table.parts))["S3"] == OPEN


def test_a_kind_of_table_is_taken_from_the_first_source_that_has_it(tmp_path):
    poor = Results()
    poor.curves["history"]["odl", EMPTY][1000] = 0.0
    first, second = Results().write(tmp_path / "first"), poor.write(tmp_path / "second")
    assert verdicts(first, second)["S3"] == YES and verdicts(second, first)["S3"] == NO
    (first / "tables" / "history" / "all.csv").unlink()
    assert verdicts(first, second)["S3"] == NO


def test_measurements_may_be_in_several_tables(tmp_path):
    folder = Results().write(tmp_path)
    table = folder / "tables" / "denoising" / "all.csv"
    header, *rows = table.read_text().splitlines()
    for seed in range(3):
        chosen = [row for row in rows if row.split(",")[3] == str(seed)]
        (table.parent / f"{seed}.csv").write_text("\n".join([header, *chosen]))
    table.unlink()
    assert verdicts(folder) == ALL_YES


MEASURE = {
    **{"what": "x", "value": 1, "low": None, "high": None, "relation": "≥", "limit": 0},
    **{"units": {}, "outlying": [], "cases": []},
}
DAMAGED = [
    json.dumps([{"id": "P1", "verdict": "reproduced", "measured": [MEASURE | changed]}])
    for changed in (
        {"relation": "="},
        {"value": []},
        {"value": "x"},
        {"low": "x"},
        {"limit": [1]},
        {"limit": [1, "x"]},
        {"units": {"seeds": "many"}},
        {"outlying": [1]},
        {"cases": [{"what": "x"}]},
        {"more": 1},
    )
]
DAMAGED.append(DAMAGED[1].replace("[]", f"1{'0' * 400}", 1))


def test_findings_survive_a_round_trip_through_json(tmp_path):
    results = Results()
    results.noise = {"denoising": 0.5}
    found = findings([results.write(tmp_path)])
    file = tmp_path / "claims.json"
    file.write_text(to_json(found), encoding="utf-8")
    assert load_findings(file) == found


@pytest.mark.parametrize("text", ["", "{}", "[1]", '[{"id": "P1"}]', *DAMAGED])
def test_damaged_findings_are_refused(tmp_path, text):
    (tmp_path / "claims.json").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=r"claims\.json"):
        load_findings(tmp_path / "claims.json")


def test_no_claim_is_measured_without_tables(tmp_path):
    found = findings([tmp_path])
    assert {finding.verdict for finding in found} == {OPEN}
    assert all(measure.what for finding in found for measure in finding.measures)


def test_one_failed_measure_decides_and_one_missing_measure_leaves_open():
    holds, fails = at_least("a", 1, 0), at_least("a", -1, 0)
    unsure = at_least("a", Estimate(1, -1, 2), 0)
    gap, aside = at_least("a", np.nan, 0), reported("b", 3)
    assert Finding(claim("P1"), (holds, aside)).verdict == YES
    assert Finding(claim("P1"), (holds, gap, unsure)).verdict == OPEN
    assert Finding(claim("P1"), (holds, unsure)).verdict == UNSURE
    assert Finding(claim("P1"), (gap, fails, holds, unsure)).verdict == NO
    assert Finding(claim("P1"), (aside,)).verdict == Finding(claim("P1"), ()).verdict == OPEN


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_nan_and_infinity_decide_nothing(value):
    for estimate in (value, Estimate(1.0, value, 2.0)):
        assert above("a", estimate, 0).outcome == OPEN and above("a", estimate, 0).value is None
        assert reported("a", estimate).outcome == ""


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (1.0, 2.0, "holds"),
        (0.5, 2.0, "undecided"),
        (0.5, 3.0, "undecided"),
        (2.5, 3.0, "fails"),
        (0.0, 0.5, "fails"),
    ],
)
def test_a_range_is_met_by_an_interval_inside_it(low, high, expected):
    assert within("a", Estimate(0.5 * (low + high), low, high), 1.0, 2.0).outcome == expected


def test_the_worst_case_is_the_one_furthest_from_holding():
    cases = [at_least("a", 5, 0), at_least("b", Estimate(4, -1, 5), 0), at_least("c", 1, 0)]
    chosen = worst("gain", cases)
    assert chosen.what == "gain, b" and chosen.cases == tuple(cases)
    assert worst("gain", [*cases, at_least("d", -1, 0)]).what == "gain, d"
    assert worst("gain", [*cases, at_least("d", np.nan, 0)]).outcome == OPEN
    failed = worst("gain", [at_least("d", np.nan, 0), at_least("e", -1, 0)])
    assert failed.what == "gain, e"
    assert worst("gain", [cases[0], cases[2]]).what == "gain, c"


class Tables:
    """The tables of synthetic results in memory, one of them with a changed column."""

    def __init__(self, folder, monkeypatch):
        self.evidence, self.read, self.changed = Evidence([Results().write(folder)]), set(), {}
        load = Evidence.table

        def remember(evidence, kind):
            self.read.add(kind)
            return self.changed.get(kind) or load(evidence, kind)

        self.load = lambda kind: load(self.evidence, kind)
        monkeypatch.setattr(Evidence, "table", remember)

    def needed(self, claim):
        """The tables that a claim is judged by."""
        self.read.clear()
        judge(claim, self.evidence)
        return sorted(self.read)

    def verdict(self, claim, kind, name, row, value):
        """The verdict after a cell was changed."""
        column = self.load(kind)[name].copy()
        column[row] = value
        self.changed = {kind: self.load(kind) | {name: column}}
        try:
            with warnings.catch_warnings(action="ignore"):  # as the command line does
                return judge(claim, self.evidence).verdict
        except InputError:  # all claims are refused then
            return OPEN
        finally:
            self.changed = {}


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_a_missing_number_does_not_refute_a_claim(tmp_path, monkeypatch, claim):
    tables = Tables(tmp_path, monkeypatch)
    rng = np.random.default_rng(0)
    for kind in tables.needed(claim):
        for name, column in tables.load(kind).items():
            if column.dtype.kind != "f" or name in MAY_BE_EMPTY:
                continue
            for row in rng.choice(column.size, min(N_CELLS, column.size), replace=False):
                cell = (claim, kind, name, row)
                assert tables.verdict(*cell, np.nan) in (YES, OPEN), cell


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_missing_columns_and_columns_of_words_do_not_crash(tmp_path, monkeypatch, claim):
    tables = Tables(tmp_path, monkeypatch)
    for kind in tables.needed(claim):
        whole = tables.load(kind)
        for name, column in whole.items():
            for other in (None, np.full(column.size, "", object), np.full(column.size, "a=b")):
                left = {key: values for key, values in whole.items() if key != name}
                tables.changed = {kind: left if other is None else left | {name: other}}
                try:
                    with warnings.catch_warnings(action="ignore"):
                        verdict = judge(claim, tables.evidence).verdict
                except InputError as error:
                    assert claim.id in str(error) or name in str(error)
                else:
                    assert verdict in (YES, OPEN) or other is not None, (kind, name, other)
        tables.changed = {}


class Cards(HTMLParser):
    """The text of the card of each claim, without line breaks."""

    def __init__(self, page):
        super().__init__()
        self.texts = {}
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        if tag == "article":
            self.current = dict(attributes)["id"]
            self.texts[self.current] = ""

    def handle_data(self, text):
        if self.texts:
            self.texts[self.current] += text


def plain(text):
    """Text without spaces, and without the marks of subscripts and superscripts."""
    return re.sub(r"[\s_^]", "", text)


@pytest.mark.parametrize("change", ["nothing", "history", "noise", "all"])
def test_markdown_json_and_html_agree(tmp_path, change):
    results = Results()
    if change == "history":
        results.curves["history"]["odl", EMPTY][1000] = 0.0
    if change == "noise":
        results.noise = {"denoising": 0.5}
    if change != "all":
        results.write(tmp_path)
    found = findings([tmp_path])
    objects = json.loads(to_json(found))
    assert [one["id"] for one in objects] == list(IDS)
    first, empty, *table = to_markdown(found).splitlines()
    table = [[cell.strip() for cell in line[1:-1].split(" | ")] for line in table[2:]]
    cards = Cards(str(claims_section(found, {}, FIGURES))).texts
    assert empty == "" and len(table) == 57 and list(cards) == list(IDS)
    counts = {verdict: 0 for verdict in (YES, NO, UNSURE, OPEN)}
    for one, finding, line in zip(objects, found, table, strict=True):
        counts[one["verdict"]] += 1
        assert line[:3] == [one["id"], one["claim"], verdict_text(finding)]
        assert line[4:6] == [one["paper"], one["condition"]]
        assert f"section {one['section']}" in line[6]
        card = plain(cards[one["id"]])
        shown = [one["verdict"], one["claim"], one["condition"], one["paper"], finding.caveat]
        shown += [f"Section {one['section']}", *(f"Fig. {number}" for number in one["figures"])]
        assert [text for text in shown if plain(text) not in card] == []
        for text in (*remarks(finding), basis_text(finding)):
            assert text in line[3] and plain(text) in card
        for entry, measure in zip(one["measured"], finding.measures, strict=True):
            assert measure_text(measure) in line[3]
            assert plain(entry["what"]) in card and plain(value_text(measure)) in card
            assert (
                entry["value"] is None
                or not measure.decides
                or (plain(f"required {requirement(measure)}") in card)
            )
    yes, no, open_, unmeasured = counts.values()
    assert first == (
        f"{yes} of 57 claims reproduced, {no} not, {open_} undecided, {unmeasured} not measured."
    )


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0.0, "0"),
        (-2.0, "−2"),
        (100032, "100032"),
        (0.0123456, "0.01235"),
        (1e-6, "10⁻⁶"),
        (-4.8961e-10, "−4.896·10⁻¹⁰"),
        (2.5e7, "2.5·10⁷"),
        (123456.7, "1.235·10⁵"),
    ],
)
def test_numbers_are_short_and_have_no_letters(number, text):
    assert number_text(number) == text


@pytest.mark.parametrize(
    ("numbers", "requirement", "text"),
    [
        ((0.0204705, -0.00068037, 0.0485034), ("<", 0.1), "0.020 [−0.001, 0.049]"),
        ((0.1156, 0.05156, 3.688), ("≤", 0.05), "0.116 [0.052, 3.688]"),
        ((-0.3, -0.3004, 0.00002), ("", None), "−0.30000 [−0.30040, 0.00002]"),
        ((1.0, 1.0, 1.0), ("≥", 0.9), "1 [1, 1]"),
        ((36.32, 12.1, 57.0), (">", 10), "36 [12, 57]"),
        ((3e-9, 1e-9, 5e-9), ("≤", 1e-6), "3·10⁻⁹ [10⁻⁹, 5·10⁻⁹]"),
        ((2.0, -math.inf, math.inf), ("≥", 1), "2 [−inf, inf]"),
    ],
)
def test_intervals_have_two_digits_of_their_shorter_arm(numbers, requirement, text):
    assert value_text(Measure("measure", *numbers, *requirement)) == text


@pytest.mark.parametrize(
    ("low", "text"),
    [(0.0199, "0.0300 [0.0199, 0.0400]"), (0.02, "0.030 [0.020, 0.040]")],
)
def test_an_end_of_an_interval_looks_like_the_limit_only_if_it_is(low, text):
    assert value_text(Measure("measure", 0.03, low, 0.04, "≥", 0.02)) == text


def redo(entry):
    """The outcome of a measure by hand, from the numbers in its JSON object."""
    if entry["relation"] == "":
        return ""
    if entry["value"] is None:
        return "not measured"
    ends = [entry["value"]] if entry["low"] is None else [entry["low"], entry["high"]]
    low, high = entry["limit"] if entry["relation"] == "in" else (entry["limit"],) * 2
    met = {
        "≥": lambda x: x >= low,
        ">": lambda x: x > low,
        "≤": lambda x: x <= low,
        "<": lambda x: x < low,
        "in": lambda x: low <= x <= high,
    }[entry["relation"]]
    if all(map(met, ends)):
        return "holds"
    straddles = any(map(met, ends)) or (ends[0] < low and ends[-1] > high)
    return "undecided" if straddles else "fails"


def test_verdicts_follow_from_the_numbers_in_the_json_file(tmp_path):
    results = Results()
    results.noise = {"denoising": 0.5, "history": 0.02, "odl": 0.03, "iterations": 0.01}
    results.curves["ezdl"][(0.75,)][0.8] = 0.9
    results.curves["restoration"].pop(("inpainting", "odl"))
    seen = set()
    for one in json.loads(to_json(findings([results.write(tmp_path)]))):
        outcomes = [redo(measure) for measure in one["measured"] if measure["relation"]]
        order = {"fails": NO, "not measured": OPEN, "undecided": UNSURE, "holds": YES}
        verdict = next(order[outcome] for outcome in order if outcome in outcomes)
        assert one["verdict"] == verdict, one["id"]
        for measure in one["measured"]:
            if measure["cases"]:
                assert redo(measure) in map(redo, measure["cases"])
        seen.add(verdict)
    assert seen == {YES, NO, OPEN, UNSURE}


def test_few_seeds_and_single_runs_are_marked(tmp_path):
    results = Results()
    results.seeds = (0, 1)
    texts = {one.claim.id: verdict_text(one) for one in findings([results.write(tmp_path)])}
    assert texts["R4"] == "reproduced (thin: 2 seeds)"
    assert texts["S1"] == "reproduced (one run)"
    assert texts["P1"] == "reproduced"
    results.seeds, results.images = (0,), ("a",)
    texts = {one.claim.id: verdict_text(one) for one in findings([results.write(tmp_path)])}
    assert texts["R4"] == "reproduced (one run)"


def test_explanations_are_shown_with_claims_that_are_not_reproduced(tmp_path):
    results = Results()
    good = {one.claim.id: one for one in findings([results.write(tmp_path)])}
    results.curves["history"]["rls-dla", EMPTY][1] = 0.5
    bad = {one.claim.id: one for one in findings([results.write(tmp_path)])}
    assert bad["S7"].verdict == NO and "memory of 100 samples" in remarks(bad["S7"])[0]
    assert remarks(good["S7"]) == []
    assert "By the old condition" in remarks(good["P4"])[0]
