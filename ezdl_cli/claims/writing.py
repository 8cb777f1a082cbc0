"""Findings as Markdown for people and JSON for programs; `report.claims_table` has the HTML."""

import json
from dataclasses import replace

from ..figures import FIGURES
from . import CLAIMS
from .claim import NOT_MEASURED, NOT_REPRODUCED, REPRODUCED, Finding, Measure

KNOWN = {claim.id: claim for claim in CLAIMS}
VERDICTS = (REPRODUCED, NOT_REPRODUCED, NOT_MEASURED)
HEADINGS = ("id", "claim", "verdict", "measured", "the paper", "reproduced when", "where")


def to_markdown(found):
    """A table, below a line that counts the verdicts."""
    rows = [[_cell(text) for text in _texts(finding)] for finding in found]
    lines = [" | ".join(row) for row in (HEADINGS, ["---"] * len(HEADINGS), *rows)]
    return f"{count(found)}\n\n" + "".join(f"| {line} |\n" for line in lines)


def to_json(found):
    """All that is known, one object a claim."""
    return json.dumps([_facts(finding) for finding in found], indent=1, ensure_ascii=False) + "\n"


def from_json(entries):
    """The findings that `to_json` has written, from what its text holds.

    Raises
    ------
    ValueError
        If that is something else.
    """
    try:
        if not isinstance(entries, list):
            raise TypeError("no list")
        return [
            Finding(KNOWN[entry["id"]], tuple(map(_read_measure, entry["measured"])))
            for entry in entries
        ]
    except (KeyError, TypeError, OverflowError) as error:
        raise ValueError(f"it has no findings ({error!r})") from None


def _read_measure(facts):
    """A measure, all of whose parts have the type that they should."""
    measure = Measure(**facts)
    if measure.value is not None:
        measure = replace(measure, value=float(measure.value))
    words = isinstance(measure.what, str) and isinstance(measure.needs, str)
    if not words or not isinstance(measure.holds, bool | None):
        raise TypeError("a measure is none")
    return measure


def count(found):
    """How many claims there are of each verdict."""
    verdicts = [finding.verdict for finding in found]
    parts = [f"{verdicts.count(verdict)} {verdict}" for verdict in VERDICTS]
    return f"{len(found)} claims: {', '.join(parts)}."


def _texts(finding):
    """A row of the table."""
    claim = finding.claim
    measured = "; ".join(map(measure_text, finding.measures))
    where = ", ".join([f"section {claim.section}", *map(figure_label, claim.figures)])
    texts = (claim.id, claim.statement, finding.verdict, measured, claim.paper)
    return (*texts, claim.condition, where)


def measure_text(measure):
    """Return a measure as text, with its condition if the verdict depends on it."""
    if measure.value is None:
        return f"{measure.what}: not measured"
    text = f"{measure.what}: {measure.value:.4g}"
    if not measure.decides:
        return text
    # Not to be broken between the sign and the number.
    needs = measure.needs.replace(" ", "\N{NO-BREAK SPACE}")
    return f"{text} ({'' if measure.holds else 'fails '}{needs})"


def figure_label(name):
    """Return how a figure of the paper is cited."""
    return f"Fig. {FIGURES[name].number}"


def _cell(text):
    return text.replace("|", "\\|")


def _facts(finding):
    claim = finding.claim
    return {
        "id": claim.id,
        "section": claim.section,
        "figures": [FIGURES[name].number for name in claim.figures],
        "claim": claim.statement,
        "condition": claim.condition,
        "paper": claim.paper,
        "verdict": finding.verdict,
        "measured": [
            {
                "what": measure.what,
                "value": measure.value,
                "needs": measure.needs,
                "holds": None if measure.holds is None else bool(measure.holds),
            }
            for measure in finding.measures
        ],
    }
