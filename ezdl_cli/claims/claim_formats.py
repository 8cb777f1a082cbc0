"""Findings as Markdown for people and JSON for programs; `report.claims_table` has the HTML."""

import json
from dataclasses import asdict

from .. import io
from ..figures import FIGURES
from . import CLAIMS
from .claim import NOT_MEASURED, NOT_REPRODUCED, REPRODUCED, Finding, Measure

VERDICTS = (REPRODUCED, NOT_REPRODUCED, NOT_MEASURED)
HEADINGS = ("id", "claim", "verdict", "measured", "the paper", "reproduced when", "where")


def to_markdown(findings):
    """Return a table, below a line with the number of claims of each verdict."""
    rows = [[text.replace("|", "\\|") for text in _row(finding)] for finding in findings]
    lines = [" | ".join(row) for row in (HEADINGS, ["---"] * len(HEADINGS), *rows)]
    return f"{count(findings)}\n\n" + "".join(f"| {line} |\n" for line in lines)


def to_json(findings):
    """Return all claims with their measures and verdicts, as described in docs/formats.md."""
    entries = [_entry(finding) for finding in findings]
    return json.dumps(entries, indent=1, ensure_ascii=False) + "\n"


def load_findings(path):
    """Read the findings that `to_json` has written; raise InputError if they are damaged."""
    known = {claim.id: claim for claim in CLAIMS}
    return [
        Finding(known[entry["id"]], tuple(Measure(**one) for one in entry["measured"]))
        for entry in io.load_json(path, "claims")
        if entry["id"] in known
    ]


def count(findings):
    """Return how many claims have each verdict, as a sentence."""
    verdicts = [finding.verdict for finding in findings]
    parts = [f"{verdicts.count(verdict)} {verdict}" for verdict in VERDICTS]
    return f"{len(findings)} claims: {', '.join(parts)}."


def measure_text(measure):
    """Return a measure as text, with its condition if the verdict depends on it."""
    if measure.value is None:
        return f"{measure.what}: not measured"
    text = f"{measure.what}: {measure.value:.4g}"
    if not measure.decides:
        return text
    # Do not break the line between the sign and the number.
    needs = measure.needs.replace(" ", "\N{NO-BREAK SPACE}")
    return f"{text} ({'' if measure.holds else 'fails '}{needs})"


def figure_label(name):
    """Return how a figure of the paper is cited."""
    return f"Fig. {FIGURES[name].number}"


def _row(finding):
    claim = finding.claim
    measured = "; ".join(map(measure_text, finding.measures))
    where = ", ".join([f"section {claim.section}", *map(figure_label, claim.figures)])
    verdict = (claim.id, claim.statement, finding.verdict, measured)
    return (*verdict, claim.paper, claim.condition, where)


def _entry(finding):
    claim = finding.claim
    return {
        "id": claim.id,
        "section": claim.section,
        "figures": [FIGURES[name].number for name in claim.figures],
        "claim": claim.statement,
        "condition": claim.condition,
        "paper": claim.paper,
        "verdict": finding.verdict,
        "measured": [asdict(measure) for measure in finding.measures],
    }
