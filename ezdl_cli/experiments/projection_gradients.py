"""Time and accuracy of the product of the projection's Jacobian with a vector (appendix)."""

import time

import numpy as np

from ..core.gradient import projection_gradient
from ..core.projection import project

# Entries that are processed together, so that the time of a short vector can be measured.
BATCH_ENTRIES = 1 << 20
# Products are compared with differences up to this n, on so many vectors.
COMPARED_ENTRIES = 256
COMPARED_VECTORS = 200
# Central differences of fourth order: their error, of order step⁴, and the rounding, 1e-16 / step,
# are about 1e-8 at most for the vectors drawn here.
WEIGHTS = {-2: 1 / 12, -1: -2 / 3, 1: 2 / 3, 2: -1 / 12}
STEP = 1e-5


def gradient_accuracy(exponents, sparseness=0.9, repeats=3, seed=0, advance=None):
    """Time products with the Jacobian, and compare them with central differences.

    Entries of x and of the factor y are drawn from the normal distribution.

    Parameters
    ----------
    exponents : iterable of int
        Numbers of entries n, as exponents of two.
    sparseness : float
        Target sparseness of the projection, to unit norm.
    repeats : int
        Number of timings after the first run, of which the fastest counts.
    seed : int
    advance : callable, optional
        Called with 1 after each n.

    Returns
    -------
    dict
        Columns `n`, `sparseness`, `seed`, `seconds` per product, `relative_error` (the largest
        error of an entry divided by the largest entry of the product, maximum over the compared
        vectors; NaN for n > 256) and `vectors` (number of compared vectors).
    """
    rows = []
    for exponent in exponents:
        n = 1 << exponent
        random = np.random.default_rng([seed, exponent])
        error, n_compared = np.nan, 0
        if n <= COMPARED_ENTRIES:
            x, y = random.standard_normal((2, COMPARED_VECTORS, n))
            error, n_compared = largest_relative_error(x, y, sparseness)
        x, y = random.standard_normal((2, max(1, BATCH_ENTRIES // n), n))
        seconds = _time(x, y, sparseness, repeats) / len(x)
        rows.append((n, sparseness, seed, seconds, error, n_compared))
        if advance:
            advance(1)
    columns = ("n", "sparseness", "seed", "seconds", "relative_error", "vectors")
    return dict(zip(columns, map(list, zip(*rows, strict=True)), strict=True))


def _time(x, y, sparseness, repeats):
    """Return the minimum seconds of a batch of products."""
    best = np.inf
    for _ in range(repeats + 1):  # the first run may compile
        start = time.perf_counter()
        projection_gradient(x, sparseness, y)
        best = min(best, time.perf_counter() - start)
    return best


def largest_relative_error(x, y, sparseness):
    """Compare products with central differences, on rows whose support does not change.

    Returns
    -------
    error : float
        Maximum over the rows of the largest error of an entry over the largest entry.
    n_compared : int
        Number of compared rows. Left out are those on which the projection is not differentiable
        within the step, and those with two survivors, where the Jacobian is zero.
    """
    y = y / np.abs(y).max(axis=1, keepdims=True)
    points = {j: project(x + j * STEP * y, sparseness, norm=1.0) for j in (-2, -1, 0, 1, 2)}
    support = points[0] != 0.0
    compared = support.sum(axis=1) > 2
    for p in points.values():
        compared &= ((p != 0.0) == support).all(axis=1)
    if not compared.any():
        return np.nan, 0
    differences = sum(WEIGHTS[j] * points[j][compared] for j in WEIGHTS) / STEP
    products = projection_gradient(x[compared], sparseness, y[compared])
    errors = np.abs(products - differences).max(axis=1) / np.abs(products).max(axis=1)
    return float(errors.max()), int(compared.sum())
