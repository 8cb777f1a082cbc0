"""Properties of the projection on random vectors, checked with plain NumPy.

The projection to unit norm must have the target sparseness, keep the order and the signs of the
entries, and be β · sign(x) · max(|x| - α, 0) with one offset α and one factor β per vector.
"""

import numpy as np

from ..core.projection import project

SIZES = (2, 3, 5, 8, 16, 64, 256, 1024)
SPARSENESS = (0.1, 0.3, 0.5, 0.7, 0.9, 0.99)
# Entries of a vector are drawn from one of these; signs are random.
LAWS = {
    "uniform": lambda random, shape: random.random(shape),
    "normal": lambda random, shape: random.standard_normal(shape),
    "exponential": lambda random, shape: random.exponential(size=shape),
    "Student's t": lambda random, shape: random.standard_t(2.0, shape),
}
SPARSENESS_TOLERANCE = 1e-6
# For entries of the unit vector; double precision gives about 1e-13 for these vectors.
ENTRY_TOLERANCE = 1e-9


def projection_properties(vectors=100_000, seed=0, advance=None):
    """Count violations of the properties of the projection, by size and target sparseness.

    Parameters
    ----------
    vectors : int
        Minimum number of vectors in total, divided evenly.
    seed : int
    advance : callable, optional
        Called with 1 after each size.

    Returns
    -------
    dict
        Columns `n`, `sparseness`, `seed`, `vectors`, `sparseness_violations` (the target is missed
        by more than 1e-6), `order_violations` (a larger entry becomes smaller than another one, or
        a sign flips) and `offset_violations` (no offset and factor yield all entries to 1e-9).
    """
    rows = []
    per_law = -(-vectors // (len(SIZES) * len(SPARSENESS) * len(LAWS)))
    for n in SIZES:
        for i, sparseness in enumerate(SPARSENESS):
            random = np.random.default_rng([seed, n, i])
            x = np.concatenate([draw(random, (per_law, n)) for draw in LAWS.values()])
            x *= random.choice([-1.0, 1.0], x.shape)
            counts = count_violations(x, project(x, sparseness, norm=1.0), sparseness)
            rows.append((n, sparseness, seed, len(x), *counts))
        if advance:
            advance(1)
    columns = ("n", "sparseness", "seed", "vectors")
    columns += ("sparseness_violations", "order_violations", "offset_violations")
    return dict(zip(columns, map(list, zip(*rows, strict=True)), strict=True))


def count_violations(x, p, sparseness):
    """Return the numbers of rows of p that miss the sparseness, the order, and a common offset.

    Parameters
    ----------
    x : ndarray of shape (m, n)
        Vectors.
    p : ndarray of shape (m, n)
        Their projections to unit norm.
    sparseness : float
        Target sparseness.
    """
    v, q = np.abs(x), np.abs(p)
    root = np.sqrt(x.shape[1])
    measured = (root - q.sum(axis=1) / np.sqrt((q * q).sum(axis=1))) / (root - 1.0)
    misses = ~(np.abs(measured - sparseness) <= SPARSENESS_TOLERANCE)
    ascending = np.take_along_axis(q, np.argsort(v, axis=1), axis=1)
    in_order = (np.diff(ascending, axis=1) >= 0.0).all(axis=1) & (x * p >= 0.0).all(axis=1)
    return int(misses.sum()), int((~in_order).sum()), int((~_has_offset(v, q)).sum())


def _has_offset(v, q):
    """Return for each row whether q = β max(v - α, 0) for a line fitted to the positive entries."""
    positive = q > 0.0
    d = positive.sum(axis=1, keepdims=True)
    mean_v, mean_q = (
        np.where(positive, values, 0.0).sum(axis=1, keepdims=True) / np.maximum(d, 1)
        for values in (v, q)
    )
    centred = np.where(positive, v - mean_v, 0.0)
    squares = (centred * centred).sum(axis=1, keepdims=True)
    beta = (centred * (q - mean_q)).sum(axis=1, keepdims=True) / np.where(squares > 0, squares, 1.0)
    line = np.maximum(beta * (v - mean_v) + mean_q, 0.0)
    return (np.abs(q - line) <= ENTRY_TOLERANCE).all(axis=1) & (d > 0).all(axis=1)
