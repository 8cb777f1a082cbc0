"""The store of samples that all learners pick from."""

import hashlib
import math
import os

import numpy as np
from numba import types

from ..core.input_validation import RowError, as_float_array
from ..core.jit import kernel
from ..core.simd import CACHE_LINE, prefetch
from ..errors import InputError

BYTES_AT_ONCE = 1 << 22
# Files up to this size may stay in memory.
RESIDENT_BYTES = 1 << 27
LARGEST_SHIFT = 1022  # binary places
AHEAD = 16  # rows between asking for one and needing it


class Samples:
    """Samples to learn from, one a row, in memory or in a mapped file.

    Bytes are pixels: each row is normalised to zero mean and unit variance when it is picked.
    Other real numbers are taken as they are.

    Parameters
    ----------
    array : array (n_samples, …)
        More axes than two are laid in a row.
    name : str
        What to call it in messages.
    stream : file, optional
        The open file that `array` is mapped from, row by row and as a whole. If it is large, its
        rows are read and not mapped: pages that were touched count as memory of the process, and
        touching one maps many.

    Raises
    ------
    ValueError
        If it is empty, does not hold real numbers, or holds NaN or infinity.
    """

    def __init__(self, array, name="samples", stream=None):
        array = np.asanyarray(array)
        if array.dtype.kind not in "fiub":
            raise ValueError(f"{name} must hold real numbers, not {array.dtype}")
        if array.dtype.itemsize > 8:  # longer than double precision
            array = array.astype(np.float64)
        if array.ndim < 2 or array.size == 0 or array[0].size < 2:
            raise ValueError(f"{name} must have samples as rows, not the shape {array.shape}")
        rows = array.reshape(len(array), -1)
        large = stream is not None and rows.nbytes > RESIDENT_BYTES
        self._file = _LargeFile(stream, rows) if large else None
        self.array = np.ascontiguousarray(rows.view(np.ndarray))
        self.name = name
        self.n_samples, self.n_features = self.array.shape
        self.is_pixels = self.array.dtype == np.uint8
        if self.array.dtype.kind == "f":
            self._refuse_infinite()

    def __len__(self):
        return self.n_samples

    def pick(self, indices, out=None, dtype=np.float32):
        """Samples by their places, normalised if they are pixels.

        Parameters
        ----------
        indices : array (m,) of int
        out : array (m, n_features) of float32 or float64, optional
            Where to put them; else a new array of `dtype`.

        Returns
        -------
        array (m, n_features)
        """
        indices = self._checked(indices)
        if out is None:
            out = np.empty((indices.size, self.n_features), dtype)
        if out.shape != (indices.size, self.n_features):
            raise ValueError(f"out must have the shape {(indices.size, self.n_features)}")
        rows, indices = self._stored(indices)
        if self.is_pixels:
            _pick_normalised(rows, indices, out)
        else:
            out[:] = rows[indices]
        return out

    def pick_scaled(self, indices, out):
        """Samples by their places, in `out`; if no pixels, each with a largest entry near one.

        For what does not depend on the scale of samples, but squares them: that must not overflow
        nor vanish. The scales are powers of two, so that nothing is rounded.
        """
        if self.is_pixels:
            return self.pick(indices, out)
        rows, indices = self._stored(self._checked(indices))
        if rows.dtype not in (np.float32, np.float64):
            rows, indices = rows[indices].astype(np.float64), np.arange(indices.size)
        _pick_scaled(rows, indices, out)
        return out

    def _checked(self, indices):
        """Places of samples as whole numbers within the store."""
        indices = np.asarray(indices)
        if indices.ndim != 1 or (indices.size and indices.dtype.kind not in "iu"):
            raise IndexError("the places of samples must be a row of whole numbers")
        indices = indices.astype(np.int64, copy=False)
        if indices.size and not 0 <= indices.min() <= indices.max() < self.n_samples:
            raise IndexError(f"{self.name} has {self.n_samples} rows")
        return indices

    def _stored(self, indices):
        """An array of rows, and where in it the wanted ones are."""
        if self._file is None:
            return self.array, indices
        return self._file.rows(indices), np.arange(indices.size)

    def blocks(self):
        """All samples as they are stored, block by block: pairs of the first row and the block."""
        rows = max(1, BYTES_AT_ONCE // self.array[0].nbytes)
        for first in range(0, self.n_samples, rows):
            part = slice(first, min(first + rows, self.n_samples))
            yield first, self.array[part] if self._file is None else self._file.block(part)

    def fingerprint(self):
        """Checksum of the shape, the type and some of the samples, evenly spaced."""
        places = np.linspace(0, self.n_samples - 1, min(self.n_samples, 1024)).astype(np.int64)
        rows = self.array[places] if self._file is None else self._file.rows(places)
        kind = f"{self.array.shape} {self.array.dtype.str} ".encode()
        return hashlib.sha256(kind + rows.tobytes()).hexdigest()

    def _refuse_infinite(self):
        for first, block in self.blocks():
            wrong = np.flatnonzero(~np.isfinite(block).all(axis=1))
            if wrong.size:
                raise RowError(first + int(wrong[0]), 0, "holds NaN or infinity")


class _LargeFile:
    """Rows of a file, read when they are asked for."""

    def __init__(self, stream, array):
        self._stream, self._start = stream, array.offset
        self._dtype, self._n_features = array.dtype, array.shape[1]

    def rows(self, indices):
        """Rows by their places."""
        rows = np.empty((indices.size, self._n_features), self._dtype)
        if _read_rows(self._stream.fileno(), self._start, indices, rows.view(np.uint8)):
            raise InputError(f"{self._stream.name}: cannot be read any more")
        return rows

    def block(self, part):
        """Rows one after the other."""
        length = self._n_features * self._dtype.itemsize
        size = (part.stop - part.start) * length
        content = os.pread(self._stream.fileno(), size, self._start + part.start * length)
        if len(content) != size:
            raise InputError(f"{self._stream.name}: cannot be read any more")
        return np.frombuffer(content, self._dtype).reshape(-1, self._n_features)


def normalise(x):
    """Rows of numbers to zero mean and unit variance; rows without variance become zero.

    Parameters
    ----------
    x : array (m, n)

    Returns
    -------
    array (m, n) of float32 or float64
    """
    x = as_float_array(x)
    centred = x - x.mean(axis=-1, keepdims=True, dtype=np.float64).astype(x.dtype)
    deviation = np.sqrt(np.mean(centred * centred, axis=-1, keepdims=True))
    return centred / np.where(deviation > 0.0, deviation, 1.0)


@kernel
def _pick_normalised(samples, indices, out):
    """Rows of bytes with zero mean and unit variance; the sums are exact."""
    n = samples.shape[1]
    flat = samples.reshape(samples.size)
    for i in range(indices.size):
        # Rows lie anywhere in memory: ask for one that is due soon, line by line.
        ahead = indices[min(i + AHEAD, indices.size - 1)] * n
        for line in range(0, n, CACHE_LINE):
            prefetch(flat, ahead + line)
        row = samples[indices[i]]
        total = 0
        squares = 0
        for j in range(n):
            value = np.int32(row[j])
            total += value
            squares += value * value
        spread = n * squares - total * total
        mean = total / n
        scale = n / np.sqrt(spread) if spread > 0 else 0.0
        for j in range(n):
            out[i, j] = (row[j] - mean) * scale


@kernel
def _pick_scaled(samples, indices, out):
    """Rows of numbers, each times the power of two that brings its largest entry near one."""
    n = samples.shape[1]
    flat = samples.reshape(samples.size)
    for i in range(indices.size):
        ahead = indices[min(i + AHEAD, indices.size - 1)] * n
        for line in range(0, n, CACHE_LINE // samples.itemsize):
            prefetch(flat, ahead + line)
        row = samples[indices[i]]
        largest = row[0] - row[0]
        for j in range(n):
            largest = max(largest, abs(row[j]))
        _, exponent = math.frexp(np.float64(largest))
        scale = math.ldexp(1.0, min(max(-exponent, -LARGEST_SHIFT), LARGEST_SHIFT))
        for j in range(n):
            out[i, j] = row[j] * scale


_pread = types.ExternalFunction(
    "pread", types.intp(types.intc, types.voidptr, types.uintp, types.int64)
)


@kernel
def _read_rows(file, start, indices, out):
    """Read rows of a file, given by its descriptor; whether that failed."""
    length = out.shape[1]
    for i in range(indices.size):
        place = start + indices[i] * length
        if _pread(file, out[i].ctypes.data, length, place) != length:
            return True
    return False
