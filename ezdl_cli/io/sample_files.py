"""Samples in files: patch stores (.npy and .json), whitened samples (.npz), plain arrays."""

import errno
import math
import os
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from ..errors import InputError
from ..platforms import allocate
from .atomic_files import complete_file
from .dictionaries import read_matrices
from .json_formats import read_json, to_json
from .metadata import SampleMetadata
from .npy import decoding, map_array
from .npz import META, NpzFile, new_npz
from .paths import check_source, check_target

SAMPLES = "samples"
KINDS = {suffix: f"samples in {suffix} format" for suffix in (".npy", ".npz")}
UNKNOWN = "samples, which are .npy or .npz files"


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
    """Yield the `StoredSamples` of a file, which stays open while the block runs.

    It is a patch store or another .npy file; or an .npz file with whitened samples, with an array
    `samples`, or with a single array. Raises InputError if it is damaged.
    """
    check_source(path)
    suffix = ".npz" if Path(path).suffix.lower() == ".npz" else ".npy"
    with open(path, "rb") as stream:
        with decoding(path, KINDS.get(Path(path).suffix.lower(), UNKNOWN)):
            read = _read_npz if suffix == ".npz" else _read_npy
            array, metadata, matrices = read(stream)
        by_rows = isinstance(array, np.memmap) and array.flags.c_contiguous
        yield StoredSamples(array, metadata, matrices, stream if by_rows else None)


def _read_npz(stream):
    file = NpzFile(stream)
    if SAMPLES not in file and len(file.names) != 1:
        raise ValueError(f"it has {', '.join(file.names) or 'no arrays'}, but no {SAMPLES!r}")
    array = file.map(SAMPLES if SAMPLES in file else file.names[0])
    matrices = read_matrices(file, n_features=math.prod(array.shape[1:]))
    # Without matrices, `meta` may be about anything.
    return array, SampleMetadata.from_json(file.metadata() if matrices else {}), matrices


def _read_npy(stream):
    array, json_file = map_array(stream), Path(stream.name).with_suffix(".json")
    content = _patch_metadata(json_file)
    if content is None:
        return array, SampleMetadata(), {}
    with decoding(json_file, "metadata of patches"):
        metadata = SampleMetadata.from_json(content)
        if array.shape != (metadata.n_samples, metadata.patch_size**2):
            raise ValueError("it describes other patches; run `ezdl extract` again")
    return array, metadata, {}


def _patch_metadata(path):
    """Return the content of a .json file if it is about patches, else None."""
    try:
        content = read_json(path)
    except (OSError, ValueError, RecursionError):
        return None
    return content if isinstance(content, dict) and content.get("patch_size") else None


class PatchWriter:
    """Appends patches to a store; `metadata` is written to its .json file."""

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
        allocate(self._stream, size)

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
    json_file = check_target(path.with_suffix(".json"))
    if json_file.exists() and _patch_metadata(json_file) is None:
        raise InputError(f"{json_file}: is not about patches, and would be replaced; rename it")
    with (
        complete_file(json_file) as temporary_json,
        complete_file(path) as temporary,
        open(temporary, "wb") as stream,
    ):
        writer = PatchWriter(stream, width)
        yield writer
        writer.finish()
        metadata = replace(writer.metadata, n_samples=writer.n_samples)
        temporary_json.write_bytes(to_json(metadata.to_json()).encode())
        # At no time may the metadata of an older store be found next to the new one.
        json_file.unlink(missing_ok=True)


def save_whitened(path, blocks, n_samples, matrices, metadata):
    """Write whitened samples, which come in blocks of `n_samples` rows in total.

    `matrices` has the arrays `whitening` and `dewhitening` that transform to them and back.
    """
    check_target(path, ".npz")
    with (
        new_npz(path, {**matrices, META: metadata.to_json()}) as archive,
        archive.open(f"{SAMPLES}.npy", "w", force_zip64=True) as stream,
    ):
        _write_header(stream, np.float32, (n_samples, len(matrices["whitening"])))
        for block in blocks:
            stream.write(np.ascontiguousarray(block, np.float32).data)
