"""Findings in words: Markdown for people, JSON for programs, HTML for the report."""

import json
from dataclasses import replace
from html import escape

from ..figures import FIGURES
from . import CLAIMS
from .claim import REFUTED, REPRODUCED, UNMEASURED, Finding, Measure

KNOWN = {claim.id: claim for claim in CLAIMS}
VERDICTS = (REPRODUCED, REFUTED, UNMEASURED)
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


def to_html(found, linked=()):
    """A table that a style can turn into cards; every cell knows its heading.

    There are links to the figures whose names are in `linked`: they are on the same page.
    """
    head = "".join(f"<th>{escape(name)}</th>" for name in HEADINGS)
    rows = "".join(_html_row(finding, linked) for finding in found)
    return (
        f'<table class="claims"><thead><tr>{head}</tr></thead>\n<tbody>\n{rows}</tbody></table>\n'
    )


def count(found):
    """How many claims there are of each verdict."""
    verdicts = [finding.verdict for finding in found]
    parts = [f"{verdicts.count(verdict)} {verdict}" for verdict in VERDICTS]
    return f"{len(found)} claims: {', '.join(parts)}."


def _texts(finding):
    """A row of the table."""
    claim = finding.claim
    measured = "; ".join(map(_measure, finding.measures))
    where = ", ".join([f"section {claim.section}", *map(_figure, claim.figures)])
    texts = (claim.id, claim.statement, finding.verdict, measured, claim.paper)
    return (*texts, claim.condition, where)


def _measure(measure):
    """A measure in words."""
    if measure.value is None:
        return f"{measure.what}: not measured"
    text = f"{measure.what}: {measure.value:.4g}"
    if not measure.decides:
        return text
    # Not to be broken between the sign and the number.
    needs = measure.needs.replace(" ", "\N{NO-BREAK SPACE}")
    return f"{text} ({'' if measure.holds else 'fails '}{needs})"


def _figure(name):
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


def _html_row(finding, linked):
    cells = dict(zip(HEADINGS, map(escape, _texts(finding)), strict=True))
    measures = "".join(f"<li>{escape(_measure(measure))}</li>" for measure in finding.measures)
    cells["measured"] = f"<ul>{measures}</ul>"
    shown = [
        f'<a href="#{name}">{_figure(name)}</a>' if name in linked else _figure(name)
        for name in finding.claim.figures
    ]
    cells["where"] = ", ".join([f"section {finding.claim.section}", *shown])
    kind = finding.verdict.replace(" ", "-")
    inner = "".join(f'<td data-label="{name}">{text}</td>' for name, text in cells.items())
    return f'<tr class="{kind}" id="{finding.claim.id}">{inner}</tr>\n'
