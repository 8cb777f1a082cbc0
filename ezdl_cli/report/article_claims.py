"""Claims as the article shows them: what decides on each, and what its discussion consists of."""

import re
from itertools import groupby

from ..claims.claim import FAILS, NOT_MEASURED, NOT_REPRODUCED, UNDECIDED
from ..claims.claim_formats import basis_text, figure_label, requirement, value_text

MAX_REPORTED = 3  # longer lists of numbers that do not decide are only in the HTML page


def claim_content(finding):
    """Return a claim with the measure that decides on it, and what its discussion consists of."""
    claim, measures = finding.claim, finding.measures
    deciding = [one for one in measures if one.decides]
    reported = [one for one in measures if not one.decides]
    by_outcome = {key: list(group) for key, group in groupby(sorted(deciding, key=_rank), _rank)}
    missed, lacking, still_open = (by_outcome.get(rank, []) for rank in range(3))
    decisive = min(deciding, key=_rank, default=None)
    return {
        "id": claim.id,
        "statement": typeset(claim.statement),
        "place": _place(claim),
        "condition": typeset(claim.condition.rstrip(".")),
        "verdict": finding.verdict,
        "caveat": finding.caveat.partition(":")[0],
        "verdict-sentence": _verdict_sentence(finding),
        "discussed": finding.verdict in (NOT_REPRODUCED, UNDECIDED),
        "deciding": _measure(decisive) if decisive else _no_measure(),
        "others": max(len(deciding) - 1, 0),
        "missed": [_measure(one) for one in missed],
        "lacking": [_measure(one) | {"value": ""} for one in lacking],
        "open": [_measure(one) for one in still_open],
        "reported": list(map(_measure, reported)) if len(reported) <= MAX_REPORTED else [],
        "old": _old_verdict(finding),
        "explanation": typeset(claim.explanation),
    }


def _rank(measure):
    """Return how much a measure weighs in the verdict: failed ones most."""
    order = (FAILS, NOT_MEASURED, UNDECIDED)
    return order.index(measure.outcome) if measure.outcome in order else len(order)


def _measure(measure):
    return {
        "what": typeset(measure.what),
        "value": typeset(value_text(measure)),
        "requirement": requirement(measure) if measure.limit is not None else "",
    }


def _no_measure():
    return {"what": "", "value": "not measured", "requirement": ""}


def _place(claim):
    section = "appendix" if claim.section == "A" else f"section {claim.section}"
    return ", ".join([section, *map(figure_label, claim.figures)]).replace("Fig. ", "Fig.\u00a0")


def _verdict_sentence(finding):
    basis, caveat = basis_text(finding), finding.caveat
    if caveat.startswith("thin"):
        basis = f"thin: {basis}"
    elif caveat:
        basis = ", ".join(filter(None, (caveat, basis)))
    verdict = finding.verdict.capitalize()
    return f"{verdict} ({basis})." if basis else f"{verdict}."


def _old_verdict(finding):
    if finding.old_verdict is None:
        return ""
    condition = typeset(finding.claim.old_condition)
    return f"{finding.old_verdict} ({condition})."


def typeset(text):
    """Return a text with typographic apostrophes and primes, and without breaks in formulas."""
    text = re.sub(r"\b([xy])'", "\\1′", text).replace("'", "’")
    text = re.sub(r" ([=≤≥<>±×]) (?=[\d−σ])", "\u00a0\\1\u00a0", text)
    text = re.sub(r"(?<=\d) (?=(%|dB|\d{3})(?!\w))", "\u00a0", text)
    return re.sub(r"\[(\S+), (\S+)\]", "[\\1,\u00a0\\2]", text)
