"""The paper's claims, each with its condition and the numbers that decide on it.

A verdict comes from the numbers alone. To add a claim, add it to `CLAIMS` of the file of its
section, with a function that returns its measures.
"""

from . import denoising_claims as denoising
from . import dictionary_claims as dictionaries
from . import projection_claims as projections
from . import reproduction_claims as reproduction
from . import speed_claims as speed
from . import structure_claims as structure
from .claim import NOT_MEASURED, NOT_REPRODUCED, REPRODUCED, Claim, Finding, Measure, judge
from .evidence import Evidence

__all__ = [
    "CLAIMS",
    "NOT_MEASURED",
    "NOT_REPRODUCED",
    "REPRODUCED",
    "Claim",
    "Finding",
    "Measure",
    "findings",
]

CLAIMS = (
    *projections.CLAIMS,
    *dictionaries.CLAIMS,
    *structure.CLAIMS,
    *reproduction.CLAIMS,
    *speed.CLAIMS,
    *denoising.CLAIMS,
)


def findings(places):
    """The findings on all claims, from result folders of the pipeline, or tables out of one.

    Parameters
    ----------
    places : sequence of paths
        What the first leaves out is taken from the next.

    Returns
    -------
    list of Finding
    """
    evidence = Evidence(places)
    return [judge(claim, evidence) for claim in CLAIMS]
