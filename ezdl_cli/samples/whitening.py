"""Whitening by principal components, the canonical preprocessing of natural images.

Hyvärinen, Hurri and Hoyer, Natural Image Statistics (2009), sect. 5.4: the mean of each patch is
removed, C x with C = I - 11ᵀ/d; of the covariance C Σ C = E D Eᵀ the first k components are kept;
z = D^(-1/2) Eᵀ (x - m), with m the mean of all samples. The rows of D^(-1/2) Eᵀ have zero sum, so
that this removes the mean of x as well.
"""

from dataclasses import dataclass

import numpy as np

from ..core.input_validation import as_float_array
from ..parallel import in_order
from .store import Samples

# A component whose variance is smaller than this part of the largest is rounding.
NEGLIGIBLE = 1e-10


@dataclass(frozen=True)
class Whitening:
    """The way to whitened samples and back."""

    whitening: np.ndarray
    """(k, d), D^(-1/2) Eᵀ"""
    dewhitening: np.ndarray
    """(d, k), E D^(1/2)"""
    mean: np.ndarray
    """(d,), mean of all samples"""
    variances: np.ndarray
    """(d,), of all principal components, descending"""

    def transform(self, x):
        """Whitened samples, (m, k), of samples (m, d)."""
        x = as_float_array(x)
        return ((x - self.mean) @ self.whitening.T).astype(x.dtype)

    def inverse_transform(self, z):
        """Samples (m, d) without their means, of whitened ones (m, k)."""
        z = as_float_array(z)
        return (z @ self.dewhitening.T + (self.mean - self.mean.mean())).astype(z.dtype)


def fit_whitening(samples, n_components, advance=lambda n: None):
    """Whitening of samples, from a single pass over them.

    Parameters
    ----------
    samples : Samples or array (n_samples, d)
        Pixels are taken as they are, without normalisation.
    n_components : int
        How many principal components to keep, less than d.
    advance : function of the number of samples done

    Returns
    -------
    Whitening

    Raises
    ------
    ValueError
        If there are not so many components with variance, or squares of samples overflow.
    """
    samples = samples if isinstance(samples, Samples) else Samples(samples)
    d = samples.n_features
    if not 1 <= n_components < d:
        raise ValueError(f"there can be 1 to {d - 1} components, not {n_components}")
    with np.errstate(over="ignore", invalid="ignore"):
        mean, covariance = _moments(samples, advance)
    if not np.isfinite(covariance).all():
        raise ValueError("samples are too large: their squares overflow; scale them down")
    centre = np.eye(d) - 1.0 / d
    variances, directions = np.linalg.eigh(centre @ covariance @ centre)
    variances, directions = variances[::-1], directions[:, ::-1]
    usable = int(np.sum(variances > NEGLIGIBLE * max(variances[0], 0.0)))
    if usable < n_components:
        raise ValueError(f"only {usable} components have variance, not {n_components}")
    kept = directions[:, :n_components]
    largest = np.abs(kept).argmax(axis=0)
    kept = kept * np.sign(kept[largest, np.arange(n_components)])
    deviations = np.sqrt(variances[:n_components])
    return Whitening(
        (kept / deviations).T.copy(), kept * deviations, mean, np.maximum(variances, 0)
    )


def whiten(samples, whitening):
    """Whitened samples, block by block.

    Parameters
    ----------
    samples : Samples
    whitening : Whitening

    Returns
    -------
    a context that gives an iterator of arrays (m, k) of float32, in order
    """
    blocks = (block for _, block in samples.blocks())
    return in_order(lambda block: whitening.transform(block).astype(np.float32), blocks)


def _moments(samples, advance):
    """Mean (d,) and covariance (d, d) of samples.

    Sums of products of bytes are whole numbers below 2^53: exact, in whatever order.
    """
    d = samples.n_features
    shift = np.rint(samples.array[:1000].mean(axis=0, dtype=np.float64))
    total = np.zeros(d)
    products = np.zeros((d, d))
    blocks = (block for _, block in samples.blocks())
    with in_order(lambda block: _block_moments(block, shift), blocks) as moments:
        for count, block_total, block_products in moments:
            total += block_total
            products += block_products
            advance(count)
    mean = total / samples.n_samples
    return mean + shift, products / samples.n_samples - np.outer(mean, mean)


def _block_moments(block, shift):
    """Number, sum and sum of products of some samples."""
    with np.errstate(over="ignore", invalid="ignore"):  # a thread has its own
        x = block.astype(np.float64)
        x -= shift
        return len(x), x.sum(axis=0), x.T @ x
