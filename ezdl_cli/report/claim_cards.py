"""The claims as cards with small charts, for the report and for a page of their own."""

from dataclasses import dataclass

from ..claims.claim import (
    FAILS,
    HOLDS,
    NOT_REPRODUCED,
    REPRODUCED,
    UNDECIDED,
    VERDICTS,
    Finding,
)
from ..claims.claim_formats import (
    SYMBOLS,
    basis_text,
    count,
    explanation,
    figure_label,
    measure_text,
    old_verdict_text,
    requirement,
    value_text,
)
from ..claims.parts import PARTS, by_part
from ..pages.rendering import render
from .measure_chart import measure_chart
from .setup_differences import SetupDifference, setup_differences

OUTCOME_SYMBOLS = {
    outcome: SYMBOLS[verdict]
    for outcome, verdict in ((HOLDS, REPRODUCED), (FAILS, NOT_REPRODUCED), (UNDECIDED, UNDECIDED))
}
NOTHING_MEASURED = 1e9
"""Distance to the limit of claims without a measured number: they come last."""
_TEXTS = {
    one.__name__: one
    for one in (basis_text, explanation, figure_label, old_verdict_text, requirement, value_text)
}


@dataclass(frozen=True)
class ClaimCard:
    """A finding with what its card shows beside it."""

    finding: Finding
    deciding: list
    """Measures that decide on the verdict."""
    reported: list
    """All other measures."""
    differences: list[SetupDifference]
    """Parameters that matter for it and differ from the paper's."""
    closeness: float
    """How close the verdict is to its limit: the smaller, the closer."""


def claims_section(findings, configuration, linked_figures=()):
    """Return the HTML of all claims, with filters, and with links to figures on the same page."""
    differences = setup_differences(configuration)
    parts = {
        letter: [_card(finding, differences) for finding in part]
        for letter, part in by_part(findings).items()
    }
    verdicts = [finding.verdict for finding in findings]
    return render(
        "claims/section",
        parts=parts,
        titles=PARTS,
        symbols=SYMBOLS,
        n_claims=len(findings),
        counts={verdict: verdicts.count(verdict) for verdict in VERDICTS},
        outcome_symbols=OUTCOME_SYMBOLS,
        linked_figures=linked_figures,
        chart=_chart,
        **_TEXTS,
    )


def verdict_strip(findings):
    """Return one cell for each claim, grouped by the parts of the paper."""
    return render("claims/strip", parts=by_part(findings), titles=PARTS, symbols=SYMBOLS)


def open_claims(findings):
    """Return the lists of the claims that are not reproduced, or undecided, and what decides."""
    lists = {
        verdict: [
            (finding, _open_measures(finding)) for finding in findings if finding.verdict == verdict
        ]
        for verdict in (NOT_REPRODUCED, UNDECIDED)
    }
    return render("claims/open", lists=lists, symbols=SYMBOLS, **_TEXTS)


def claims_page(findings):
    """Return a page with the claims alone."""
    return render(
        "claims",
        count=count(findings),
        strip=verdict_strip(findings),
        section=claims_section(findings, {}),
    )


def _card(finding, differences):
    letter = finding.claim.id[0]
    return ClaimCard(
        finding,
        [one for one in finding.measures if one.decides],
        [one for one in finding.measures if not one.decides],
        [one for one in differences if letter in one.parts],
        _closeness(finding),
    )


def _chart(measure):
    """Return the SVG element of a measure's chart; nothing if it was not measured."""
    chart = measure_chart(measure)
    description = measure_text(measure)
    return chart and render(
        "claims/measure_chart", chart=chart, outcome=measure.outcome, description=description
    )


def _open_measures(finding):
    """Return the measures that keep a claim from being reproduced."""
    outcome = FAILS if finding.verdict == NOT_REPRODUCED else UNDECIDED
    return [one for one in finding.measures if one.outcome == outcome]


def _closeness(finding):
    """Return the smallest margin of the measures, relative to their interval or their size."""
    return min(
        (
            abs(one.margin) / _scale(one)
            for one in finding.measures
            if one.decides and one.value is not None
        ),
        default=NOTHING_MEASURED,
    )


def _scale(measure):
    """Return half of the interval of a measure; without one, the size of its numbers."""
    if measure.low is not None and measure.high > measure.low:
        return (measure.high - measure.low) / 2
    limits = measure.limit if isinstance(measure.limit, tuple) else (measure.limit,)
    return max(abs(measure.value), *map(abs, limits)) or 1.0
