"""Training of a dictionary on noisy patches, starting from a given one.

The update is that of Online Dictionary Learning (`learn.odl`); the codes are those of the pilot
estimate, whose residuals may be all noise. So the atoms adapt to the structure of the image, and
the noise of many patches averages out. The stronger the noise, the more the given atoms count: as
if each were also used for itself, with an energy of σ²/5 averaged over the patches.
"""

import numpy as np

from ..coding.ormp import OrmpWorkspace, ormp_code
from ..core.jit import kernel
from ..core.linear_algebra import allocate_responses, filter_responses, gram_matrix, squared_norm
from ..learn.odl import ODLWorkspace, discount, update_atoms
from .dictionary_passes import patch_dictionary

# Chosen on the crops of docs/denoising.md.
BATCH = 512
MIN_BATCHES, MAX_BATCHES = 100, 200
PATCHES_PER_PIXEL = 1  # in between: more patches of a small image would tell little more
DISCOUNT_EXPONENT = 1  # the given dictionary is good already, so that old codes are nearly as good
PRIOR_WEIGHT = 0.2  # of the given atoms, times σ²


def batch_count(n_pixels):
    """Return the number of batches for an image of a size."""
    return min(max(PATCHES_PER_PIXEL * n_pixels // BATCH, MIN_BATCHES), MAX_BATCHES)


def adapt_dictionary(dictionary, batches, max_residual, sigma):
    """Return a GroupDictionary that is trained on batches (BATCH, m) of noisy patches.

    The patches are float32, without their means and with noise of standard deviation `sigma`;
    `max_residual` is the squared norm of the residual that a code may leave.
    """
    W = dictionary.W.copy()
    n_atoms, m = W.shape
    A, B = np.zeros((n_atoms, n_atoms), W.dtype), np.zeros((n_atoms, m), W.dtype)
    odl = ODLWorkspace.of(n_atoms, m, W.dtype)
    ormp = OrmpWorkspace.of(n_atoms, m, m, W.dtype)
    responses = allocate_responses(BATCH, odl.panels)
    weight = W.dtype.type(PRIOR_WEIGHT * sigma**2)
    prior_A, prior_B = weight * np.eye(n_atoms, dtype=W.dtype), weight * dictionary.W
    for number, X in enumerate(batches, 1):
        beta = W.dtype.type(discount(number, DISCOUNT_EXPONENT))
        A *= beta
        B *= beta
        gram = gram_matrix(W, odl.panels)
        squares = np.diagonal(gram).copy()
        filter_responses(X, odl.panels, responses)
        _accumulate(X, responses, gram, squares, max_residual, ormp, A, B)
        update_atoms(W, A + prior_A, B + prior_B, odl.columns, odl.products)
    return patch_dictionary(W)


@kernel(inline=True)
def _accumulate(X, responses, gram, squares, max_residual, ormp, A, B):
    """Encode a batch and add the means of h hᵀ and h xᵀ to A and B."""
    support, values = ormp.support, ormp.values
    weight = 1.0 / len(X)
    for s in range(len(X)):
        b = responses[s][: len(gram)]
        count = ormp_code(b, gram, X[:0], squares, squared_norm(X[s]), max_residual, ormp)
        for i in range(count):
            k, part = support[i], A.dtype.type(weight * values[i])
            for j in range(count):
                A[k, support[j]] += part * A.dtype.type(values[j])
            for t in range(B.shape[1]):
                B[k, t] += part * X[s, t]
