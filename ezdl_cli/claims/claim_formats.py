"""Findings as Markdown for people and JSON for programs; `report.claim_cards` has the HTML."""

import json
import math
from dataclasses import asdict

from .. import io
from ..figures import FIGURES
from . import CLAIMS
from .claim import FAILS, NOT_MEASURED, REPRODUCED, UNDECIDED, VERDICTS, Finding, Measure

HEADINGS = ("id", "claim", "verdict", "measured", "the paper", "reproduced when", "where")
SYMBOLS = dict(zip(VERDICTS, "✓✗?–", strict=True))
MAX_INTEGER = 10**6  # integers below are written out
MAX_DECIMALS = 6  # of a number with an interval; smaller ones are written as powers of 10
_SUPERSCRIPTS = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")


def to_markdown(findings):
    """Return a table, below a line with the number of claims of each verdict."""
    rows = [[text.replace("|", "\\|") for text in _row(finding)] for finding in findings]
    lines = [" | ".join(row) for row in (HEADINGS, ["---"] * len(HEADINGS), *rows)]
    return f"{count(findings)}\n\n" + "".join(f"| {line} |\n" for line in lines)


def to_json(findings):
    """Return all claims with their measures and verdicts, as text."""
    return json.dumps(to_content(findings), indent=1, ensure_ascii=False) + "\n"


def to_content(findings):
    """Return all claims with their measures and verdicts, as described in docs/formats.md."""
    return [_entry(finding) for finding in findings]


def load_findings(path):
    """Read the findings that `to_json` has written; raise InputError if they are damaged."""
    known = {claim.id: claim for claim in CLAIMS}
    return [
        Finding(
            known[entry["id"]],
            tuple(map(_load_measure, entry["measured"])),
            tuple(map(_load_measure, entry["before"]["measured"])) if "before" in entry else (),
        )
        for entry in io.load_json(path, "claims")
        if entry["id"] in known
    ]


def count(findings):
    """Return how many claims have each verdict, as a sentence."""
    verdicts = [finding.verdict for finding in findings]
    reproduced, *others = (verdicts.count(verdict) for verdict in VERDICTS)
    words = ("not", UNDECIDED, NOT_MEASURED)
    rest = ", ".join(f"{n} {word}" for n, word in zip(others, words, strict=True))
    return f"{reproduced} of {len(findings)} claims reproduced, {rest}."


def verdict_text(finding):
    """Return the verdict, with a caveat if it is based on few runs."""
    return f"{finding.verdict} ({finding.caveat})" if finding.caveat else finding.verdict


def measure_text(measure):
    """Return a measure as text, with its interval, and its requirement if it has one."""
    text = f"{measure.what}: {value_text(measure)}"
    if measure.value is None or not measure.decides:
        return text
    outcome = {FAILS: "fails ", UNDECIDED: "undecided: "}.get(measure.outcome, "")
    # Do not break the line between the sign and the number.
    return f"{text} ({outcome}{requirement(measure)})".replace("− ", "−\N{NO-BREAK SPACE}")


def value_text(measure):
    """Return the value of a measure with its interval, such as `0.91 [0.88, 0.94]`."""
    if measure.value is None:
        return NOT_MEASURED
    if measure.low is None:
        return number_text(measure.value)
    decimals = _decimals(measure)
    value, low, high = (
        number_text(number) if decimals is None else _fixed(number, decimals)
        for number in (measure.value, measure.low, measure.high)
    )
    return f"{value} [{low}, {high}]"


def _decimals(measure):
    """Return how many decimals the shorter arm of an interval needs for two digits, or None.

    There are more if an end of the interval would look as if it were the limit.
    """
    arms = (measure.value - measure.low, measure.high - measure.value)
    shorter = min((arm for arm in arms if arm > 0), default=0.0)
    if not 0.0 < shorter < math.inf:
        return None
    fewest = max(0, 1 - math.floor(math.log10(shorter)))
    ends = (measure.low, measure.high)
    limits = measure.limit if isinstance(measure.limit, tuple) else (measure.limit,)
    for decimals in range(fewest, MAX_DECIMALS + 1):
        if not any(round(end, decimals) == limit != end for end in ends for limit in limits):
            return decimals
    return None


def _fixed(number, decimals):
    # Adding zero turns -0.0 into 0.0.
    return f"{round(number, decimals) + 0.0:.{decimals}f}".replace("-", "−")


def requirement(measure):
    """Return the requirement of a measure as text, such as `≥ 0.9`."""
    if measure.relation == "in":
        low, high = measure.limit
        return f"from\N{NO-BREAK SPACE}{number_text(low)} to\N{NO-BREAK SPACE}{number_text(high)}"
    return f"{measure.relation}\N{NO-BREAK SPACE}{number_text(measure.limit)}"


def basis_text(finding):
    """Return how many seeds, images or vectors the measures are based on; "" if none."""
    units = {}
    for measure in finding.measures:
        for name, number in measure.units.items():
            units[name] = min(number, units.get(name, number))
    return ", ".join(
        f"{number} {name if number > 1 else name[:-1]}" for name, number in units.items()
    )


def remarks(finding):
    """Return sentences on a finding: the verdict by the old condition, and the explanation."""
    return [text for text in (old_verdict_text(finding), explanation(finding)) if text]


def old_verdict_text(finding):
    """Return the verdict by the condition before it was revised, as a sentence; "" if none."""
    if not finding.old_verdict:
        return ""
    return f"By the old condition ({finding.claim.old_condition}): {finding.old_verdict}."


def explanation(finding):
    """Return why a claim is not reproduced, as far as known; "" if it is, or nothing is known."""
    return finding.claim.explanation if finding.verdict != REPRODUCED else ""


def figure_label(name):
    """Return how a figure of the paper is cited."""
    return f"Fig. {FIGURES[name].number}"


def number_text(value, digits=4):
    """Return a number with at most this many digits, such as `0.25`, `100032` or `3·10⁻⁷`."""
    if float(value).is_integer() and abs(value) < MAX_INTEGER:
        return f"{int(value)}".replace("-", "−")
    mantissa, _, exponent = f"{value:.{digits}g}".partition("e")
    if exponent:
        power = f"10{str(int(exponent)).translate(_SUPERSCRIPTS)}"
        mantissa = power if mantissa == "1" else f"{mantissa}·{power}"
    return mantissa.replace("-", "−")


def _row(finding):
    claim = finding.claim
    basis = basis_text(finding)
    measured = "; ".join(map(measure_text, finding.measures)) + (f" ({basis})" if basis else "")
    measured = " ".join([f"{measured}.", *remarks(finding)]) if remarks(finding) else measured
    where = ", ".join([f"section {claim.section}", *map(figure_label, claim.figures)])
    verdict = (claim.id, claim.statement, verdict_text(finding), measured)
    return (*verdict, claim.paper, claim.condition, where)


def _entry(finding):
    claim = finding.claim
    entry = {
        "id": claim.id,
        "section": claim.section,
        "figures": [FIGURES[name].number for name in claim.figures],
        "claim": claim.statement,
        "condition": claim.condition,
        "paper": claim.paper,
        "explanation": claim.explanation,
        "verdict": finding.verdict,
        "caveat": finding.caveat,
        "measured": [_measure_entry(measure) for measure in finding.measures],
    }
    if finding.old_verdict:
        measured = [_measure_entry(measure) for measure in finding.old_measures]
        before = {"condition": claim.old_condition, "verdict": finding.old_verdict}
        entry["before"] = before | {"measured": measured}
    return entry


def _measure_entry(measure):
    """Return a measure for JSON, with its outcome, and with its cases if there are any."""
    entry = asdict(measure) | {"outcome": measure.outcome}
    entry["cases"] = [_measure_entry(case) for case in measure.cases]
    return entry


def _load_measure(entry):
    fields = {name: value for name, value in entry.items() if name != "outcome"}
    limit = fields["limit"]
    fields["limit"] = tuple(limit) if isinstance(limit, list) else limit
    fields["outlying"] = tuple(fields["outlying"])
    fields["cases"] = tuple(map(_load_measure, fields["cases"]))
    return Measure(**fields)
