"""The set of claims, their output formats, and tables with missing numbers."""

import json
import warnings
from html.parser import HTMLParser

import numpy as np
import pytest
from helpers.synthetic_results import EMPTY, IDS, NO, OPEN, YES, Results, verdicts

from ezdl_cli.claims import CLAIMS, evidence, findings
from ezdl_cli.claims.claim import Finding, Measure, above, at_least, judge, reported
from ezdl_cli.claims.claim_formats import load_findings, to_json, to_markdown
from ezdl_cli.errors import InputError
from ezdl_cli.figures import FIGURES
from ezdl_cli.report.claims_table import claims_table

# Parameters of EZDL, ODL or RLS-DLA alone: empty for the others, so that rows do not count.
MAY_BE_EMPTY = {"sigma_h", "lambda", "zeta", "eta0", "atom_rank"}


def test_all_35_claims_are_in_the_order_of_the_paper():
    assert tuple(claim.id for claim in CLAIMS) == IDS and len(IDS) == 35
    for claim in CLAIMS:
        assert claim.statement.endswith(".") and claim.condition and claim.paper
        assert set(claim.figures) <= set(FIGURES)


def test_synthetic_results_reproduce_every_claim(tmp_path):
    assert verdicts(Results().write(tmp_path)) == dict.fromkeys(IDS, YES)


def test_tables_given_one_by_one_are_the_only_evidence(tmp_path):
    folder = Results().write(tmp_path)
    tables = list(folder.rglob("*.csv"))
    assert verdicts(*tables) == dict.fromkeys(IDS, YES)
    assert verdicts(*(table for table in tables if "fig13" not in table.name))["S3"] == OPEN


def test_a_table_is_taken_from_the_first_source_that_has_it(tmp_path):
    poor = Results()
    poor.curves["history"]["odl", EMPTY][1000] = 0.0
    first, second = Results().write(tmp_path / "first"), poor.write(tmp_path / "second")
    assert verdicts(first, second)["S3"] == YES and verdicts(second, first)["S3"] == NO
    (first / "figures" / "fig13_history.csv").unlink()
    assert verdicts(first, second)["S3"] == NO


DAMAGED = [
    f'[{{"id": "P1", "verdict": "reproduced", "measured": [{{{part}}}]}}]'
    for part in (
        '"what": "x", "value": 1, "needs": 1, "holds": true',
        '"what": "x", "value": [], "needs": "", "holds": null',
        '"what": "x", "value": "x", "needs": "", "holds": null',
        '"what": "x", "value": 1, "needs": "", "holds": 3',
        f'"what": "x", "value": 1{"0" * 400}, "needs": "", "holds": null',
        '"what": "x", "value": 1, "needs": "", "holds": null, "more": 1',
        '"what": "x"',
    )
]


def test_findings_survive_a_round_trip_through_json(tmp_path):
    found = findings([Results().write(tmp_path)])
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
    gap, aside = at_least("a", np.nan, 0), reported("b", 3)
    assert Finding(None, (holds, aside)).verdict == YES
    assert Finding(None, (holds, gap)).verdict == OPEN
    assert Finding(None, (gap, fails, holds)).verdict == NO
    assert Finding(None, (aside,)).verdict == Finding(None, ()).verdict == OPEN


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_nan_and_infinity_decide_nothing(value):
    assert above("a", value, 0).holds is None and above("a", value, 0).value is None
    assert reported("a", value) == Measure("a")


class Tables:
    """The tables of synthetic results in memory, one of them with a changed cell."""

    def __init__(self, folder, monkeypatch):
        load, self.kept, self.read, self.changed = evidence._load, {}, set(), {}
        self.evidence = evidence.Evidence([Results().write(folder)])

        def remember(path):
            self.read.add(path)
            if path not in self.kept:
                self.kept[path] = load(path)
            return self.kept[path] | self.changed.get(path, {})

        monkeypatch.setattr(evidence, "_load", remember)

    def needed(self, claim):
        """The tables that a claim is judged by."""
        self.read.clear()
        judge(claim, self.evidence)
        return sorted(self.read)

    def verdict(self, claim, path, name, row, value):
        """The verdict after a cell was changed."""
        column = self.kept[path][name].copy()
        column[row] = value
        self.changed = {path: {name: column}}
        try:
            with warnings.catch_warnings(action="ignore"):  # as the command line does
                return judge(claim, self.evidence).verdict
        except InputError:  # all claims are refused then
            return OPEN
        finally:
            self.changed = {}


@pytest.mark.parametrize("claim", CLAIMS, ids=IDS)
def test_a_missing_number_that_could_decide_leaves_the_claim_open(tmp_path, monkeypatch, claim):
    tables = Tables(tmp_path, monkeypatch)
    critical = 0
    for path in tables.needed(claim):
        for name, column in tables.kept[path].items():
            if column.dtype.kind != "f" or name in MAY_BE_EMPTY:
                continue
            for row in range(column.size):
                cell = (claim, path, name, row)
                without = tables.verdict(*cell, np.nan)
                assert without != NO, cell
                if NO in (tables.verdict(*cell, 1e3), tables.verdict(*cell, -1e3)):
                    assert without == OPEN, cell
                    critical += 1
    assert critical > 0


@pytest.mark.parametrize("claim", CLAIMS, ids=IDS)
def test_missing_columns_and_columns_of_words_do_not_crash(tmp_path, monkeypatch, claim):
    tables = Tables(tmp_path, monkeypatch)
    for path in tables.needed(claim):
        whole = tables.kept[path]
        for name, column in whole.items():
            for other in (None, np.full(column.size, ""), np.full(column.size, "a=b")):
                left = {key: values for key, values in whole.items() if key != name}
                tables.kept[path] = left if other is None else left | {name: other}
                try:
                    with warnings.catch_warnings(action="ignore"):
                        verdict = judge(claim, tables.evidence).verdict
                except InputError as error:
                    assert claim.id in str(error)
                else:
                    assert verdict in (YES, OPEN) or other is not None, (path, name, other)
        tables.kept[path] = whole


class Rows(HTMLParser):
    """The cells of the rows of an HTML table."""

    def __init__(self, page):
        super().__init__()
        self.rows, self.inside = [], False
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        self.inside = tag == "td" or (self.inside and tag not in ("tr", "th"))
        if tag == "tr":
            self.rows.append([])
        if tag == "td":
            self.rows[-1].append("")

    def handle_endtag(self, tag):
        self.inside = self.inside and tag != "td"

    def handle_data(self, text):
        if self.inside and self.rows:
            self.rows[-1][-1] += text


@pytest.mark.parametrize("change", ["nothing", "history", "all"])
def test_markdown_json_and_html_agree(tmp_path, change):
    results = Results()
    if change == "history":
        results.curves["history"]["odl", EMPTY][1000] = 0.0
    if change != "all":
        results.write(tmp_path)
    found = findings([tmp_path])
    objects = json.loads(to_json(found))
    assert [one["id"] for one in objects] == list(IDS)
    first, empty, *table = to_markdown(found).splitlines()
    table = [[cell.strip() for cell in line[1:-1].split(" | ")] for line in table[2:]]
    tables = [str(claims_table(found, linked)) for linked in ((), FIGURES)]
    pages = [[row for row in Rows(page).rows if row] for page in tables]
    assert empty == "" and [len(rows) for rows in (table, *pages)] == [35] * 3
    counts = {verdict: 0 for verdict in (YES, NO, OPEN)}
    for one, line, *rows in zip(objects, table, *pages, strict=True):
        counts[one["verdict"]] += 1
        assert line[:3] == rows[0][:3] == rows[1][:3] == [one["id"], one["claim"], one["verdict"]]
        assert line[4:6] == rows[0][4:6] == rows[1][4:6] == [one["paper"], one["condition"]]
        assert line[6] == rows[0][6] == rows[1][6] and f"section {one['section']}" in line[6]
        assert all(f"Fig. {number}" in line[6] for number in one["figures"])
        assert line[3].replace("; ", "") == rows[0][3] == rows[1][3]
        for measure in one["measured"]:
            number = "not measured" if measure["value"] is None else f"{measure['value']:.4g}"
            assert f"{measure['what']}: {number}" in line[3]
            assert ("fails" in line[3]) >= (measure["holds"] is False)
    assert first == f"35 claims: {', '.join(f'{n} {verdict}' for verdict, n in counts.items())}."
