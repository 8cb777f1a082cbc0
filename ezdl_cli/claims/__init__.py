"""The paper's claims, each with its condition and the measures that decide on it.

A verdict follows from the measures alone. To add a claim, add it to `CLAIMS` in the module of its
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


def findings(sources):
    """Judge all claims.

    Parameters
    ----------
    sources : sequence of paths
        Result folders of the pipeline, or summary tables of one. A table that is in several sources
        is taken from the first.

    Returns
    -------
    list of Finding
    """
    evidence = Evidence(sources)
    return [judge(claim, evidence) for claim in CLAIMS]
