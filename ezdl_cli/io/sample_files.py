"""Samples in files: patch stores (.npy and .json), whitened samples (.npz), plain arrays."""

import errno
import os
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from ..errors import InputError, one_line
from .atomic_files import complete_file
from .dictionaries import MATRICES
from .json_formats import read_json, to_json
from .metadata import SampleMetadata
from .npy import decoding, map_array
from .npz import META, NpzFile, new_npz
from .paths import check_source, check_target

SAMPLES = "samples"


@dataclass(frozen=True)
class StoredSamples:
    """Samples in a file."""

    array: np.ndarray
    """Memory-mapped if possible."""
    metadata: SampleMetadata
    matrices: dict
    """`whitening` and `dewhitening` of whitened samples."""
    stream: object
    """The open file if `array` is memory-mapped from it row by row, else None."""


@contextmanager
def open_samples(path):
    """Open samples; the file stays open while the block runs.

    Parameters
    ----------
    path : path
        A patch store or another .npy file; or an .npz file with whitened samples, with an array
        `samples`, or with a single array.

    Yields
    ------
    StoredSamples

    Raises
    ------
    InputError
        If it cannot be read.
    """
    is_npz = Path(path).suffix.lower() == ".npz"
    kind = "an .npz file" if is_npz else "a .npy file"
    check_source(path)
    with open(path, "rb") as stream:
        with decoding(path, kind):
            array, metadata, matrices = (
                _read_npz(NpzFile(stream)) if is_npz else (map_array(stream), None, {})
            )
        if metadata is None:
            metadata = _read_store_metadata(Path(path).with_suffix(".json"), array)
        by_rows = isinstance(array, np.memmap) and array.flags.c_contiguous
        yield StoredSamples(array, metadata, matrices, stream if by_rows else None)


def _read_npz(file):
    if SAMPLES not in file and len(file.names) != 1:
        raise ValueError(f"it has {', '.join(file.names) or 'no arrays'}, but no {SAMPLES!r}")
    matrices = {name: file.read(name) for name in MATRICES if name in file}
    # Without matrices, `meta` may be about anything.
    metadata = SampleMetadata.from_json(file.metadata() if matrices else {})
    return file.map(SAMPLES if SAMPLES in file else file.names[0]), metadata, matrices


def _read_store_metadata(path, array):
    """Read the .json file of a patch store; a file about something else is ignored."""
    content = _patch_metadata(path)
    if content is None:
        return SampleMetadata()
    try:
        metadata = SampleMetadata.from_json(content)
        if array.shape != (metadata.n_samples, metadata.patch_size**2):
            raise ValueError("it describes other patches than the .npy file beside it")
    except ValueError as error:
        raise InputError(f"{path}: {one_line(error)}; remove it, or extract again") from None
    return metadata


def _patch_metadata(path):
    """Return the content of a .json file if it is about patches, else None."""
    try:
        content = read_json(path)
    except (OSError, ValueError, RecursionError):
        return None
    about_patches = isinstance(content, dict) and content.get("patch_size") is not None
    return content if about_patches else None


class PatchWriter:
    """Appends patches to a store; `metadata` is written to the .json file beside it."""

    def __init__(self, stream, width):
        self.metadata = SampleMetadata()
        self.n_samples = 0
        self._stream, self._width = stream, width
        self._write_header()

    def append(self, patches):
        """Append patches, (m, width) of uint8."""
        self._stream.write(patches.astype(np.uint8, copy=False).data)
        self.n_samples += len(patches)

    def reserve(self, n_patches):
        """Allocate disk space now: a full disk is an error here, and not an hour later."""
        size = self._stream.tell() + n_patches * self._width
        if size >= 1 << 63:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        os.posix_fallocate(self._stream.fileno(), 0, size)

    def finish(self):
        """Write the number of patches into the header."""
        self._stream.truncate()
        self._stream.seek(0)
        self._write_header()
        self._stream.flush()

    def _write_header(self):
        # Numpy pads the header for a growing number of rows.
        _write_header(self._stream, np.uint8, (self.n_samples, self._width))


def _write_header(stream, dtype, shape):
    descr = np.lib.format.dtype_to_descr(np.dtype(dtype))
    header = {"descr": descr, "fortran_order": False, "shape": shape}
    np.lib.format.write_array_header_1_0(stream, header)


@contextmanager
def new_patches(path, width):
    """Yield a PatchWriter; the .npy file and its .json file get their names at the end."""
    path = Path(path)
    check_target(path, ".npy")
    beside = check_target(path.with_suffix(".json"))
    if beside.exists() and _patch_metadata(beside) is None:
        raise InputError(f"{beside}: is not about patches, and would be replaced; rename it")
    with (
        complete_file(beside) as temporary_json,
        complete_file(path) as temporary,
        open(temporary, "wb") as stream,
    ):
        writer = PatchWriter(stream, width)
        yield writer
        writer.finish()
        metadata = replace(writer.metadata, n_samples=writer.n_samples)
        temporary_json.write_text(to_json(metadata.to_json()))
        # At no time may the metadata of an older store be found beside the new one.
        beside.unlink(missing_ok=True)


def save_whitened(path, blocks, n_samples, matrices, metadata):
    """Write whitened samples with the matrices that transform to them and back.

    Parameters
    ----------
    path : path of the .npz file
    blocks : iterable of arrays (m, k) of float32
    n_samples : int
        Total number of rows of the blocks.
    matrices : dict
        Arrays `whitening` and `dewhitening`.
    metadata : SampleMetadata
    """
    check_target(path, ".npz")
    with (
        new_npz(path, {**matrices, META: metadata.to_json()}) as archive,
        archive.open(f"{SAMPLES}.npy", "w", force_zip64=True) as stream,
    ):
        _write_header(stream, np.float32, (n_samples, len(matrices["whitening"])))
        for block in blocks:
            stream.write(np.ascontiguousarray(block, np.float32).data)
