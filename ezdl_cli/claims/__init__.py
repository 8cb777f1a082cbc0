"""The paper's claims, each with its condition and the measures that decide on it.

A verdict follows from the measures alone. To add a claim, add its statement and condition to
`claims.toml`, and a function that returns its measures to `CHECKS` in the module of its section. If
the condition of a claim is revised, the old one stays, as `old_condition` and in `OLD_CHECKS`.
"""

import tomllib
from pathlib import Path

from . import (
    denoising_claims,
    dictionary_claims,
    projection_claims,
    projection_time_claims,
    reproduction_claims,
    restoration_claims,
    speed_claims,
    structure_claims,
)
from .claim import (
    NOT_MEASURED,
    NOT_REPRODUCED,
    REPRODUCED,
    UNDECIDED,
    Claim,
    Finding,
    Measure,
    judge,
)
from .evidence import Evidence

__all__ = [
    "CLAIMS",
    "NOT_MEASURED",
    "NOT_REPRODUCED",
    "REPRODUCED",
    "UNDECIDED",
    "Claim",
    "Finding",
    "Measure",
    "findings",
]

_CHECKS = {
    **projection_claims.CHECKS,
    **projection_time_claims.CHECKS,
    **dictionary_claims.CHECKS,
    **structure_claims.CHECKS,
    **reproduction_claims.CHECKS,
    **speed_claims.CHECKS,
    **denoising_claims.CHECKS,
    **restoration_claims.CHECKS,
}
_OLD_CHECKS = {
    **projection_time_claims.OLD_CHECKS,
    **dictionary_claims.OLD_CHECKS,
    **structure_claims.OLD_CHECKS,
    **speed_claims.OLD_CHECKS,
    **denoising_claims.OLD_CHECKS,
}
_TEXTS = tomllib.loads(Path(__file__).with_name("claims.toml").read_text(encoding="utf-8"))
CLAIMS = tuple(
    Claim(id=name, check=_CHECKS[name], old_check=_OLD_CHECKS.get(name), **text)
    for name, text in _TEXTS.items()
)


def findings(sources):
    """Judge all claims.

    Parameters
    ----------
    sources : sequence of paths
        Result folders of the pipeline, or tables of one. Measurements of a kind that is in several
        folders are taken from the first.

    Returns
    -------
    list of Finding
    """
    evidence = Evidence(sources)
    return [judge(claim, evidence) for claim in CLAIMS]
