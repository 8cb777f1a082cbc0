"""The codes that EZDL's estimator returns: those of training, or of Landweber iterations."""

import numpy as np

from ..coding.inference import encode, scale_codes
from ..coding.landweber import landweber_codes
from ..core.scaling import scale_down, scale_up, scaling_exponents
from ..parallel import for_each_part

PART_SAMPLES = 2048  # samples of a thread, at about a microsecond each


def ezdl_codes(X, W, parameters, n_iterations):
    """Compute codes (m, n_atoms), each scaled to minimise the error of its approximation.

    Parameters
    ----------
    X : array (m, d)
    W : array (n_atoms, d), of the same type
    parameters : EZDLParameters
    n_iterations : int
        1 infers codes as training does; more are for "ordinary" inference.
    """
    exponent = scaling_exponents(X, axis=1)
    X = scale_down(X, exponent)
    if n_iterations == 1:
        codes = _inferred_codes(X, W, parameters.model(len(W)))
    else:
        codes, _, _ = landweber_codes(X, W, parameters.sparseness, [n_iterations])
    for_each_part(lambda part: scale_codes(X[part], W, codes[part]), len(X), PART_SAMPLES)
    return scale_up(codes, exponent, codes.dtype) if exponent.any() else codes


def _inferred_codes(X, W, model):
    """Return codes as training infers them."""
    codes = np.empty((len(X), len(W)), W.dtype)

    def infer(part):
        codes[part] = encode(X[part], W, model)

    for_each_part(infer, len(X), PART_SAMPLES)
    return codes
