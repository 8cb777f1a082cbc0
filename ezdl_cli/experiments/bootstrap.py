"""Confidence intervals by bootstrap over seeds and images together.

Seeds and images are drawn with replacement, independently of each other. All quantities that are
combined get the same draw of images, and those with the same seeds the same draw of seeds:
comparisons are paired. The deviations that both draws cause are added, and the interval reaches
from the 2.5 % to the 97.5 % quantile of these replicates. For few seeds or images that would be too
narrow; so deviations are multiplied by the ratio of the quantiles of Student's t and of the normal
distribution, for the degrees of freedom of the sum (Welch and Satterthwaite). The random numbers
are fixed, so that the same measurements always give the same interval.
"""

from dataclasses import dataclass, field, replace
from functools import lru_cache

import numpy as np
from scipy.special import ndtri, stdtrit  # scipy.stats takes long to import

from .outlying_images import clamp, limit_cells

N_REPLICATES = 4000
QUANTILES = (0.025, 0.975)
# Degrees of freedom, at least, for functions that are not linear: means far beyond those of two
# seeds say nothing about them.
MIN_FREEDOM = 2
DECIMALS = 12  # of estimates, so that rounding errors do not decide on equal numbers


class NotComparable(ValueError):
    """Measurements have no seeds and images in common."""


@dataclass(frozen=True)
class Cells:
    """A quantity that was measured for each seed and image."""

    values: np.ndarray
    """Array (n_seeds, n_images)."""
    seeds: tuple
    images: tuple
    """Empty strings for quantities that do not depend on an image."""

    @classmethod
    def of(cls, values, seeds, images=None):
        """Arrange measurements by seed and image; several of the same cell are averaged.

        Raises NotComparable if no image was measured with every seed.
        """
        images = np.full(len(values), "") if images is None else images
        rows, row = np.unique(seeds, return_inverse=True)
        names, column = np.unique(np.asarray(images, str), return_inverse=True)
        shape = (rows.size, names.size)
        cell = row * names.size + column
        counts = np.bincount(cell, minlength=rows.size * names.size).reshape(shape)
        sums = np.bincount(cell, values, minlength=rows.size * names.size).reshape(shape)
        complete = (counts > 0).all(axis=0)
        if not complete.any():
            raise NotComparable("no image was measured with every seed")
        means = sums[:, complete] / counts[:, complete]
        return cls(means, tuple(rows.tolist()), tuple(names[complete].tolist()))

    @property
    def mean(self):
        """The mean over seeds and images."""
        return float(self.values.mean())

    def only(self, images):
        """Return the cells of some of the images."""
        chosen = [self.images.index(name) for name in images]
        return Cells(self.values[:, chosen], self.seeds, tuple(images))


@dataclass(frozen=True)
class Estimate:
    """A number with its 95 % confidence interval, None if there was only one run."""

    value: float
    low: float | None = None
    high: float | None = None
    units: dict = field(default_factory=dict)
    """How many seeds, images or vectors the interval is based on."""
    outlying: tuple[str, ...] = ()
    """Images whose influence was limited."""
    standard_error: float | None = None
    """Only of statistics of means of cells."""


def contrast(cells, weights):
    """Estimate a weighted sum of means, such as a difference, robustly against single images.

    The influence of images whose weighted sum is outlying, and of single cells that are, is limited
    (see `outlying_images`).

    Parameters
    ----------
    cells : sequence of Cells
    weights : sequence of float

    Returns
    -------
    Estimate
    """
    cells = [_limited(one) for one in _on_shared_images(cells)]
    weights = np.asarray(weights, float)
    per_image = sum(
        weight * one.values.mean(axis=0) for one, weight in zip(cells, weights, strict=True)
    )
    clamped = clamp(per_image)
    # Move the outlying images, all of it in the quantity with the largest weight.
    k = int(np.abs(weights).argmax())
    cells[k] = replace(cells[k], values=cells[k].values + (clamped - per_image) / weights[k])
    found = statistic_of_means(lambda means: means @ weights, cells, min_freedom=1)
    outlying = np.asarray(cells[0].images)[clamped != per_image]
    return replace(found, outlying=tuple(outlying.tolist()))


def statistic_of_means(statistic, cells, min_freedom=MIN_FREEDOM):
    """Estimate a function of the means of several quantities.

    Parameters
    ----------
    statistic : callable
        Function of an array (n_replicates, n_quantities) that returns an array (n_replicates,).
    cells : sequence of Cells
    min_freedom : float
        Minimum of the degrees of freedom of Student's t.

    Returns
    -------
    Estimate
    """
    cells = _on_shared_images(cells)
    means = np.array([[one.mean for one in cells]])
    value = round(float(statistic(means)[0]), DECIMALS)
    units = {"seeds": min(len(one.seeds) for one in cells)}
    if cells[0].images != ("",):
        units["images"] = len(cells[0].images)
    deviations, freedoms = _deviations(cells)
    if not deviations:
        return Estimate(value, units=units)
    variances = [np.var(statistic(means + one)) for one in deviations]
    spread = _student_ratio(variances, freedoms, min_freedom)
    found = _with_interval(value, statistic(means + spread * sum(deviations)), units)
    return replace(found, standard_error=float(np.sqrt(np.sum(variances))))


def mean_of_vectors(mean, deviation, n_vectors):
    """Estimate the mean over random vectors from its standard deviation, by Student's t."""
    if n_vectors < 2:
        return Estimate(mean)
    half = stdtrit(n_vectors - 1, QUANTILES[1]) * deviation / np.sqrt(n_vectors)
    return Estimate(mean, mean - half, mean + half, {"vectors": int(n_vectors)})


def statistic_of_vector_means(statistic, means, deviations, n_vectors):
    """Estimate a function of means over random vectors, such as the slope over their dimensions.

    Parameters
    ----------
    statistic : callable
        As for `statistic_of_means`.
    means, deviations, n_vectors : arrays (n_quantities,)
        Mean, standard deviation and number of vectors of each quantity, at least two vectors each.

    Returns
    -------
    Estimate
    """
    means, n_vectors = np.asarray(means, float), np.asarray(n_vectors)
    errors = np.asarray(deviations, float) / np.sqrt(n_vectors)
    noise = np.random.default_rng(0).standard_t(n_vectors - 1, (N_REPLICATES, means.size))
    value = float(statistic(means[np.newaxis])[0])
    units = {"vectors": int(n_vectors.min())}
    return _with_interval(value, statistic(means + errors * noise), units)


def _with_interval(value, replicates, units):
    """Return an estimate whose interval contains it, also if the replicates are biased."""
    low, high = np.quantile(replicates, QUANTILES).round(DECIMALS).tolist()
    return Estimate(value, min(low, value), max(high, value), units)


def _on_shared_images(cells):
    """Restrict cells to the images that all have; raise NotComparable if there are none."""
    shared = [image for image in cells[0].images if all(image in one.images for one in cells)]
    if not shared:
        raise NotComparable("they were measured on different images")
    return [one.only(shared) for one in cells]


def limit_outlying(cells):
    """Limit the influence of images that are outlying in some of several similar quantities.

    The quantities are of one kind, such as the SSIM for several parameters. What is limited, as in
    `contrast`, is how much an image deviates in one of them from its deviation in most of them.

    Parameters
    ----------
    cells : sequence of Cells

    Returns
    -------
    list of Cells
        The same, with limited values, restricted to the images that all have.
    """
    cells = [_limited(one) for one in _on_shared_images(cells)]
    deviations = np.stack([one.values.mean(axis=0) for one in cells])
    deviations -= np.median(deviations, axis=1, keepdims=True)
    deviations -= np.median(deviations, axis=0)
    changes = np.stack([clamp(row) for row in deviations]) - deviations
    return [
        replace(one, values=one.values + change) for one, change in zip(cells, changes, strict=True)
    ]


def _limited(cells):
    return replace(cells, values=limit_cells(cells.values))


def _deviations(cells):
    """Return how the means deviate if other images or seeds are drawn.

    Returns arrays (N_REPLICATES, n_quantities), one for the images and one for each set of seeds,
    and their degrees of freedom; those without freedom are left out.
    """
    units = [np.stack([one.values.mean(axis=0) for one in cells], axis=1)]
    for seeds in dict.fromkeys(one.seeds for one in cells):
        per_seed = np.zeros((len(seeds), len(cells)))
        for i, one in enumerate(cells):
            if one.seeds == seeds:
                per_seed[:, i] = one.values.mean(axis=1)
        units.append(per_seed)
    sources = [(_draws(len(one), i) @ one, len(one) - 1) for i, one in enumerate(units)]
    sources = [(deviations, freedom) for deviations, freedom in sources if freedom > 0]
    return [deviations for deviations, _ in sources], [freedom for _, freedom in sources]


def _student_ratio(variances, freedoms, min_freedom):
    """Return the ratio of the quantiles of Student's t and the normal distribution, for a sum."""
    variances = np.asarray(variances)
    total = variances.sum()
    if not (np.isfinite(total) and total > 0.0):
        return 1.0
    shares = variances / total
    freedom = max(1.0 / np.sum(shares**2 / freedoms), min_freedom)
    return float(stdtrit(freedom, QUANTILES[1]) / ndtri(QUANTILES[1]))


@lru_cache(maxsize=64)
def _draws(n, stream):
    """Return by how much the weights of n units deviate from 1/n if n of them are drawn.

    The array (N_REPLICATES, n) is scaled such that the variance of means is not biased.
    """
    rng = np.random.default_rng([n, stream])
    weights = rng.multinomial(n, np.full(n, 1.0 / n), N_REPLICATES) / n
    return (weights - 1.0 / n) * np.sqrt(n / max(n - 1, 1))
