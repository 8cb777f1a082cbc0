"""Titles of dictionaries: learner, parameters, and size of the atoms."""

import math

from ..io import Dictionary

LEARNERS = {"ezdl": "EZDL", "odl": "ODL", "rls-dla": "RLS-DLA"}
MODELS = {"topographic": "topographic", "rank": "rank-1 topographic"}


def dictionary_title(dictionary: Dictionary):
    """Return learner and parameters, such as "EZDL, σ_H = 0.99, topographic"."""
    metadata = dictionary.metadata
    parts = [
        LEARNERS.get(metadata.algorithm, metadata.algorithm or "unknown learner"),
        *_options(metadata.parameters),
        "whitened patches" if dictionary.matrices else "",
    ]
    return ", ".join(part for part in parts if part)


def atom_size(dictionary: Dictionary):
    """Return the size of square atoms, such as "16 × 16 pixels"."""
    side = math.isqrt(dictionary.pixels.shape[1])
    return f"{side} × {side} pixels"


def _options(parameters):
    """Yield the parameters that tell dictionaries apart, as text."""
    for name, symbol in (("sparseness", "σ_H"), ("alpha", "λ"), ("n_nonzero", "ζ")):
        if parameters.get(name) is not None:
            yield f"{symbol} = {parameters[name]:g}"
    yield MODELS.get(parameters.get("inference"), "")
    if parameters.get("atom_rank"):
        yield f"atoms of rank {parameters['atom_rank']}"
    if parameters.get("step_size") not in (None, 1):
        yield f"η₀ = {parameters['step_size']:g}"
    if parameters.get("noise"):
        yield "noise on the codes"
    if parameters.get("gradient") == "full":
        yield "full gradient"
