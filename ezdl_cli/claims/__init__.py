"""The paper's claims, each with its condition and the measures that decide on it.

A verdict follows from the measures alone. To add a claim, add its statement and condition to
`claims.toml`, and a function that returns its measures to `CHECKS` in the module of its section.
"""

import tomllib
from pathlib import Path

from . import (
    denoising_claims,
    dictionary_claims,
    projection_claims,
    reproduction_claims,
    speed_claims,
    structure_claims,
)
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

_CHECKS = {
    **projection_claims.CHECKS,
    **dictionary_claims.CHECKS,
    **structure_claims.CHECKS,
    **reproduction_claims.CHECKS,
    **speed_claims.CHECKS,
    **denoising_claims.CHECKS,
}
_TEXTS = tomllib.loads(Path(__file__).with_name("claims.toml").read_text(encoding="utf-8"))
CLAIMS = tuple(Claim(id=name, check=_CHECKS[name], **text) for name, text in _TEXTS.items())


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
