"""The samples that learners pick from, in memory or in a file."""

import hashlib
from collections.abc import Iterator
from typing import Any, BinaryIO

import numpy as np
from numba import types
from numpy.typing import ArrayLike, DTypeLike, NDArray

from ..core.input_validation import RowError, as_float_array, as_real_array
from ..core.jit import kernel
from ..errors import InputError
from ..platforms import read_at
from .pick_kernels import pick_normalised, pick_scaled_rows

CHUNK_BYTES = 1 << 22  # of samples that are read in order
RESIDENT_BYTES = 1 << 27  # files up to this size may be in memory entirely
FINGERPRINT_ROWS = 1024
FLOAT_TYPES = (np.float32, np.float64)


class Samples:
    """Samples to learn from, one per row, in memory or in a memory-mapped file.

    Samples of type uint8 are pixels: each row is normalised to zero mean and unit variance when it
    is picked. Other real numbers are used as they are.

    Parameters
    ----------
    array : array_like of shape (n_samples, ...)
        One sample per row; further axes are flattened.
    name : str, default="samples"
        Name in error messages.
    stream : binary file, default=None
        The open file that `array` is mapped from. Rows of large files are read instead of mapped:
        mapped pages count as memory of the process, and access to one row maps many pages.

    Attributes
    ----------
    array : ndarray of shape (n_samples, n_features)
        The samples, of the type in which they are stored.
    name : str
        Name in error messages.
    n_samples : int
        Number of samples.
    n_features : int
        Number of entries of a sample.
    is_pixels : bool
        Whether the type is uint8.

    Raises
    ------
    TypeError
        If the array is sparse.
    ValueError
        If the array is empty, does not hold real numbers, or holds NaN or infinity.

    See Also
    --------
    extract_patches : Patches of an image.

    Examples
    --------
    >>> import numpy as np
    >>> import ezdl_cli as ez
    >>> samples = ez.Samples(np.array([[0, 10, 20, 30], [5, 5, 9, 9]], np.uint8))
    >>> samples.pick([1])
    array([[-1., -1.,  1.,  1.]], dtype=float32)
    """

    array: NDArray[Any]
    name: str
    n_samples: int
    n_features: int
    is_pixels: bool

    def __init__(
        self, array: ArrayLike, name: str = "samples", stream: BinaryIO | None = None
    ) -> None:
        offset = getattr(array, "offset", 0)  # of a memory map
        array = as_real_array(array, name)
        if array.dtype.itemsize > 8:  # extended precision
            array = array.astype(np.float64)
        if array.ndim < 2 or array.size == 0 or array[0].size < 2:
            raise ValueError(f"{name} must have samples as rows, not the shape {array.shape}")
        rows = array.reshape(len(array), -1)
        is_large = stream is not None and rows.nbytes > RESIDENT_BYTES and read_at is not None
        self._file = _RowFile(stream, rows, offset) if is_large else None
        self.array = np.ascontiguousarray(rows)
        self.name = name
        self.n_samples, self.n_features = self.array.shape
        self.is_pixels = self.array.dtype == np.uint8
        if self.array.dtype.kind == "f":
            self._check_finite()

    def __len__(self) -> int:
        return self.n_samples

    def pick(
        self,
        indices: ArrayLike,
        out: NDArray[np.floating] | None = None,
        dtype: DTypeLike = np.float32,
    ) -> NDArray[np.floating]:
        """Return samples by their indices, normalised if they are pixels.

        Parameters
        ----------
        indices : array_like of shape (m,)
            Indices of samples, from 0 to n_samples - 1, in any order.
        out : ndarray of shape (m, n_features), default=None
            Array of float32 or float64 for the result.
        dtype : dtype, default=float32
            Type of the result if `out` is not given, float32 or float64.

        Returns
        -------
        picked : ndarray of shape (m, n_features)
            `out` if given, else a new array.
        """
        indices = self._check_indices(indices)
        if out is None:
            if np.dtype(dtype) not in FLOAT_TYPES:
                raise ValueError(f"dtype must be float32 or float64, not {dtype!r}")
            out = np.empty((indices.size, self.n_features), dtype)
        self._check_out(out, indices.size)
        rows, indices = self._rows(indices)
        if self.is_pixels:
            pick_normalised(rows, indices, out)
        else:
            out[:] = rows[indices]
        return out

    def pick_scaled(self, indices: ArrayLike, out: NDArray[np.floating]) -> NDArray[np.floating]:
        """Write samples to `out` and return it; pixels normalised, others scaled.

        For algorithms that do not depend on the scale of samples, but square them: the scales are
        powers of two, so that nothing is rounded, and bring the largest entry of a sample near one.

        Parameters
        ----------
        indices : array_like of shape (m,)
            Indices of samples, from 0 to n_samples - 1, in any order.
        out : ndarray of shape (m, n_features)
            C-contiguous array of float32 or float64 for the result.

        Returns
        -------
        picked : ndarray of shape (m, n_features)
            `out`.
        """
        if self.is_pixels:
            return self.pick(indices, out)
        indices = self._check_indices(indices)
        self._check_out(out, indices.size)
        rows, indices = self._rows(indices)
        if rows.dtype not in FLOAT_TYPES:
            rows, indices = rows[indices].astype(np.float64), np.arange(indices.size)
        pick_scaled_rows(rows, indices, out)
        return out

    def _check_indices(self, indices: ArrayLike) -> NDArray[np.int64]:
        indices = np.asarray(indices)
        if indices.ndim != 1 or (indices.size and indices.dtype.kind not in "iu"):
            raise IndexError("indices of samples must be a vector of integers")
        indices = indices.astype(np.int64, copy=False)
        if indices.size and not 0 <= indices.min() <= indices.max() < self.n_samples:
            raise IndexError(f"{self.name} has {self.n_samples} rows")
        return indices

    def _check_out(self, out: object, n_rows: int) -> None:
        shape = (n_rows, self.n_features)
        if not isinstance(out, np.ndarray) or out.shape != shape or out.dtype not in FLOAT_TYPES:
            raise ValueError(f"out must be an array of float32 or float64 of the shape {shape}")

    def _rows(self, indices: NDArray[np.int64]) -> tuple[NDArray[Any], NDArray[np.int64]]:
        """Return an array with the samples, and their indices in it."""
        if self._file is None:
            return self.array, indices
        return self._file.rows(indices), np.arange(indices.size)

    def chunks(self) -> Iterator[NDArray[Any]]:
        """Yield all samples as they are stored, in order.

        Yields
        ------
        chunk : ndarray of shape (m, n_features)
            The next samples, up to 4 MiB of them.
        """
        n_rows = max(1, CHUNK_BYTES // self.array[0].nbytes)
        for first in range(0, self.n_samples, n_rows):
            part = slice(first, min(first + n_rows, self.n_samples))
            yield self.array[part] if self._file is None else self._file.chunk(part)

    def fingerprint(self) -> str:
        """Return a checksum of the shape, the type and evenly spaced samples."""
        count = min(self.n_samples, FINGERPRINT_ROWS)
        rows, indices = self._rows(np.linspace(0, self.n_samples - 1, count).astype(np.int64))
        kind = f"{self.array.shape} {self.array.dtype.str} ".encode()
        return hashlib.sha256(kind + rows[indices].tobytes()).hexdigest()

    def _check_finite(self):
        first = 0
        for chunk in self.chunks():
            bad = np.flatnonzero(~np.isfinite(chunk).all(axis=1))
            if bad.size:
                raise RowError(first + int(bad[0]), 0, "holds NaN or infinity")
            first += len(chunk)


class _RowFile:
    """Rows of a file, read on request."""

    def __init__(self, stream, array, offset):
        self._stream, self._start = stream, offset
        self._dtype, self._n_features = array.dtype, array.shape[1]

    def rows(self, indices):
        """Return rows by their indices."""
        rows = np.empty((indices.size, self._n_features), self._dtype)
        if not _read_rows(self._stream.fileno(), self._start, indices, rows.view(np.uint8)):
            raise self._truncated()
        return rows

    def chunk(self, part):
        """Return a slice of the rows."""
        length = self._n_features * self._dtype.itemsize
        size = (part.stop - part.start) * length
        content = read_at(self._stream.fileno(), size, self._start + part.start * length)
        if len(content) != size:
            raise self._truncated()
        return np.frombuffer(content, self._dtype).reshape(-1, self._n_features)

    def _truncated(self):
        return InputError(f"{self._stream.name}: cannot be read any more")


def normalise(x):
    """Normalise rows to zero mean and unit variance; constant rows become zero.

    Parameters
    ----------
    x : array (m, n)

    Returns
    -------
    array (m, n) of float32 or float64
    """
    x = as_float_array(x)
    centred = x - x.mean(axis=-1, keepdims=True, dtype=np.float64).astype(x.dtype)
    deviations = np.sqrt(np.mean(centred * centred, axis=-1, keepdims=True))
    return centred / np.where(deviations > 0.0, deviations, 1.0)


_pread = types.ExternalFunction(
    "pread", types.intp(types.intc, types.voidptr, types.uintp, types.int64)
)


@kernel
def _read_rows(file, start, indices, out):
    """Read rows from a file descriptor; return whether all could be read."""
    length = out.shape[1]
    for i in range(indices.size):
        if _pread(file, out[i].ctypes.data, length, start + indices[i] * length) != length:
            return False
    return True
