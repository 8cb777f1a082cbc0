"""Whitening by principal component analysis, the canonical preprocessing of natural images.

Hyvärinen, Hurri and Hoyer, Natural Image Statistics (2009), sect. 5.4: the mean of each patch is
removed, C x with C = I - 11ᵀ/d; of the covariance C Σ C = E D Eᵀ the first k components are used;
z = D^(-1/2) Eᵀ (x - m), with m the mean of all samples. The rows of D^(-1/2) Eᵀ have zero sum, so
that this also removes the mean of x.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..core.input_validation import as_float_array
from ..core.parameter_validation import check_integer
from ..parallel import in_order, single_threaded_blas
from .store import Samples

# Components with less than this share of the largest variance are rounding errors.
NEGLIGIBLE = 1e-10


@dataclass(frozen=True)
class Whitening:
    """A whitening transform and its inverse, as `fit_whitening` returns it."""

    whitening: NDArray[np.float64]
    """Array of shape (k, d), the matrix that is multiplied with centred samples: D^(-1/2) Eᵀ."""
    dewhitening: NDArray[np.float64]
    """Array of shape (d, k), its pseudoinverse: E D^(1/2)."""
    mean: NDArray[np.float64]
    """Array of shape (d,), the mean of all samples."""
    variances: NDArray[np.float64]
    """Array of shape (d,), the variances of all principal components, in descending order. The
    last is 0 but for rounding."""

    def transform(self, x: ArrayLike) -> NDArray[np.floating]:
        """Whiten samples.

        Parameters
        ----------
        x : array_like of shape (m, d)
            Samples.

        Returns
        -------
        z : ndarray of shape (m, k)
            Whitened samples; float32 if x is float16 or float32, float64 otherwise.
        """
        x = as_float_array(x)
        with single_threaded_blas:
            return ((x - self.mean) @ self.whitening.T).astype(x.dtype)

    def inverse_transform(self, z: ArrayLike) -> NDArray[np.floating]:
        """Compute samples from whitened ones.

        Parameters
        ----------
        z : array_like of shape (m, k)
            Whitened samples.

        Returns
        -------
        x : ndarray of shape (m, d)
            Samples, each without its mean, as far as the k components represent them.
        """
        z = as_float_array(z, "z")
        with single_threaded_blas:
            centred = z @ self.dewhitening.T
        return (centred + (self.mean - self.mean.mean())).astype(z.dtype)


def fit_whitening(
    samples: ArrayLike | Samples,
    n_components: int | None = None,
    advance: Callable[[int], object] = lambda n: None,
) -> Whitening:
    """Compute the whitening transform of samples, in a single pass over them.

    Parameters
    ----------
    samples : array_like of shape (n_samples, d) or Samples
        Samples, such as patches as rows. Pixels are not normalised.
    n_components : int, default=None
        Number k of principal components, less than d. If None, half of d.
    advance : callable, optional
        Called with the number of its samples after each chunk, to show progress.

    Returns
    -------
    whitening : Whitening
        The transform: `whitening.transform(samples)` has zero mean and unit covariance.

    Raises
    ------
    TypeError
        If the samples are sparse.
    ValueError
        If fewer components have variance, or squares of samples overflow.

    References
    ----------
    Hyvärinen, A., Hurri, J., & Hoyer, P. O. (2009). Natural image statistics. Springer. Section
    5.4.

    Examples
    --------
    >>> import numpy as np
    >>> import ezdl_cli as ez
    >>> x = np.random.default_rng(0).random((1000, 16))
    >>> z = ez.fit_whitening(x, n_components=3).transform(x)
    >>> np.allclose(z.T @ z / 1000, np.eye(3))
    True
    """
    samples = samples if isinstance(samples, Samples) else Samples(samples)
    d = samples.n_features
    n_components = d // 2 if n_components is None else n_components
    check_integer("n_components", n_components, 1, d - 1)
    with single_threaded_blas:
        with np.errstate(over="ignore", invalid="ignore"):
            mean, covariance = _mean_and_covariance(samples, advance)
        if not np.isfinite(covariance).all():
            raise ValueError("samples are too large: their squares overflow; scale them down")
        centring = np.eye(d) - 1.0 / d
        variances, directions = np.linalg.eigh(centring @ covariance @ centring)
    variances, directions = variances[::-1], directions[:, ::-1]
    n_usable = int(np.sum(variances > NEGLIGIBLE * max(variances[0], 0.0)))
    if n_usable < n_components:
        raise ValueError(
            f"n_components must be at most {n_usable}, the number of components with variance, "
            f"not {n_components}"
        )
    directions = directions[:, :n_components]
    # The sign of an eigenvector is arbitrary: its largest entry becomes positive.
    largest = np.abs(directions).argmax(axis=0)
    directions = directions * np.sign(directions[largest, np.arange(n_components)])
    deviations = np.sqrt(variances[:n_components])
    return Whitening(
        (directions / deviations).T.copy(), directions * deviations, mean, np.maximum(variances, 0)
    )


def whiten(samples, whitening):
    """Whiten samples with all cores.

    Returns a context manager of an iterator over arrays (m, k) of float32, in order.
    """
    return in_order(lambda chunk: whitening.transform(chunk).astype(np.float32), samples.chunks())


def _mean_and_covariance(samples, advance):
    """Return the mean (d,) and the covariance (d, d) of samples.

    Sums of products of pixels are integers below 2^53: exact, in whatever order.
    """
    d = samples.n_features
    shift = np.rint(samples.array[:1000].mean(axis=0, dtype=np.float64))
    total = np.zeros(d)
    products = np.zeros((d, d))
    with in_order(lambda chunk: _chunk_sums(chunk, shift), samples.chunks()) as sums:
        for count, chunk_total, chunk_products in sums:
            total += chunk_total
            products += chunk_products
            advance(count)
    mean = total / samples.n_samples
    return mean + shift, products / samples.n_samples - np.outer(mean, mean)


def _chunk_sums(chunk, shift):
    """Return the number of samples, their sum and the sum of their products, less a shift."""
    with np.errstate(over="ignore", invalid="ignore"):  # each thread has its own error state
        x = chunk.astype(np.float64)
        x -= shift
        return len(x), x.sum(axis=0), x.T @ x
