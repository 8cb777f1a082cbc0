"""Samples in files: stores of patches (.npy and .json), whitened sets (.npz), plain arrays."""

import errno
import json
import os
import struct
import zipfile
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ..errors import InputError, one_line
from .atomic_files import complete_file
from .dictionaries import MATRICES
from .json_formats import read_json
from .npy import map_array
from .npz import new_npz
from .paths import check_source, check_target

# What np.savez_compressed has made small is unpacked in memory, up to this size.
MAX_UNPACKED = 1 << 30
SAMPLES = "samples"
OTHERS = (*MATRICES, "meta")


class PatchWriter:
    """Appends patches to a store; `about` is what the .json file beside it will say."""

    def __init__(self, stream, width):
        self.about = {}
        self.n_samples = 0
        self._stream, self._width = stream, width
        self._write_header()

    def append(self, patches):
        """Add patches, (m, width) of uint8."""
        self._stream.write(patches.astype(np.uint8, copy=False).data)
        self.n_samples += len(patches)

    def reserve(self, n_patches):
        """Take the room on the disk now: a full disk is an error here, and not an hour later."""
        room = self._stream.tell() + n_patches * self._width
        if room >= 1 << 63:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        os.posix_fallocate(self._stream.fileno(), 0, room)

    def finish(self):
        """Say in the header how many patches there are."""
        self._stream.truncate()
        self._stream.seek(0)
        self._write_header()
        self._stream.flush()

    def _write_header(self):
        # Numpy leaves room in the header for a number of rows that grows.
        _write_header(self._stream, np.uint8, (self.n_samples, self._width))


def _write_header(stream, dtype, shape):
    descr = np.lib.format.dtype_to_descr(np.dtype(dtype))
    header = {"descr": descr, "fortran_order": False, "shape": shape}
    np.lib.format.write_array_header_1_0(stream, header)


def check_patches_target(path):
    """Refuse a name under which no patches can be written."""
    if Path(path).suffix.lower() != ".npy":
        raise InputError(f"{path}: the name of a store of patches must end with .npy")
    check_target(path)


@contextmanager
def new_patches(path, width):
    """A PatchWriter; the .npy and the .json file beside it are there when the block is done."""
    path = Path(path)
    check_patches_target(path)
    facts = check_target(path.with_suffix(".json"))
    if facts.exists() and "patch_size" not in _read_facts(facts):
        raise InputError(f"{facts}: is not about patches, and would be replaced; give another name")
    with (
        complete_file(facts) as temporary_facts,
        complete_file(path) as temporary,
        open(temporary, "wb") as stream,
    ):
        writer = PatchWriter(stream, width)
        yield writer
        writer.finish()
        with open(temporary_facts, "w") as facts_stream:
            json.dump({"n_samples": writer.n_samples, **writer.about}, facts_stream, indent=1)
            facts_stream.write("\n")
        # The facts of an older store must not stand beside the new one, not for a moment.
        facts.unlink(missing_ok=True)


def check_whitened(path):
    """Refuse a name under which no whitened set can be written."""
    if Path(path).suffix.lower() != ".npz":
        raise InputError(f"{path}: the name of a whitened set must end with .npz")
    check_target(path)


def save_whitened(path, blocks, n_samples, matrices, about):
    """Write whitened samples, block by block, with the matrices that lead to them and back.

    Parameters
    ----------
    path : path of the .npz file
    blocks : iterable of arrays (m, k) of float32
    n_samples : int
        Rows that the blocks have together.
    matrices : dict
        Arrays, by name.
    about : dict
        What else is to be known, as JSON.
    """
    check_whitened(path)
    arrays = {**matrices, "meta": np.array(json.dumps(about))}
    with (
        new_npz(path, arrays) as archive,
        archive.open(f"{SAMPLES}.npy", "w", force_zip64=True) as stream,
    ):
        _write_header(stream, np.float32, (n_samples, len(matrices["whitening"])))
        for block in blocks:
            stream.write(np.ascontiguousarray(block, np.float32).data)


@dataclass(frozen=True)
class StoredSamples:
    """Samples of a file."""

    array: np.ndarray
    """Memory-mapped if possible."""
    about: dict
    """What is known of them: the .json file, or `meta` of the .npz file."""
    matrices: dict
    """`whitening` and `dewhitening` of the .npz file, if it has them."""
    stream: object
    """The open file if `array` is memory-mapped from it row by row, else None."""


@contextmanager
def open_samples(path):
    """Samples of a file, which stays open as long as the block lasts.

    Parameters
    ----------
    path : path
        A store of patches or another .npy file; or an .npz file with whitened samples, with an
        array `samples`, or with a single array.

    Yields
    ------
    StoredSamples

    Raises
    ------
    InputError
        If it cannot be read.
    """
    check_source(path)
    with open(path, "rb") as stream:
        array, about, matrices = _load(path, stream)
        by_rows = isinstance(array, np.memmap) and array.flags.c_contiguous
        yield StoredSamples(array, about, matrices, stream if by_rows else None)


def _load(path, stream):
    """Array of samples in an open file, what is said of them, and matrices."""
    is_npz = Path(path).suffix.lower() == ".npz"
    try:
        array, about, matrices = _load_npz(stream) if is_npz else (map_array(stream), {}, {})
    except Exception as error:  # a damaged file can raise nearly anything
        kind = "an .npz" if is_npz else "a .npy"
        raise InputError(f"{path}: cannot be read as {kind} file ({one_line(error)})") from None
    facts = Path(path).with_suffix(".json")
    if not is_npz and facts.exists():
        about = _read_facts(facts)
        if about.get("patch_size") is not None:
            _check_facts(facts, about, array)
    return array, about, matrices


def _read_facts(path):
    """Content of a .json file, or nothing if it has none of that form."""
    try:
        about = read_json(path)
    except (OSError, ValueError, RecursionError):
        return {}
    return about if isinstance(about, dict) else {}


def _check_facts(path, about, array):
    size, count = about["patch_size"], about.get("n_samples")
    fits = isinstance(size, int) and array.ndim == 2 and array.shape == (count, size * size)
    if not fits:
        raise InputError(f"{path}: is about other patches than the .npy file beside it")


def _load_npz(stream):
    """The samples of an .npz file, what is said of them, and its matrices."""
    with zipfile.ZipFile(stream) as archive:
        members = {Path(info.filename).stem: info for info in archive.infolist()}
        name = SAMPLES if SAMPLES in members else next(iter(members), "")
        if name not in members or (name != SAMPLES and len(members) > 1):
            raise ValueError(f"it has {', '.join(members) or 'nothing'}, but no {SAMPLES!r}")
        others = {key: _unpack(archive, members[key]) for key in OTHERS if key in members}
        about = json.loads(str(others.pop("meta", "{}")))
        about = about if isinstance(about, dict) else {}
        return _map_or_unpack(stream, archive, members[name]), about, others


def _map_or_unpack(stream, archive, info):
    """An array in an archive: mapped where it lies if it is not compressed."""
    if info.compress_type != zipfile.ZIP_STORED:
        return _unpack(archive, info)
    stream.seek(info.header_offset + 26)
    start = info.header_offset + 30 + sum(struct.unpack("<HH", stream.read(4)))
    return map_array(stream, start, start + info.file_size)


def _unpack(archive, info):
    if info.file_size > MAX_UNPACKED:
        raise ValueError(f"{info.filename} is too large to unpack; save it with np.savez")
    with archive.open(info) as member:
        return np.lib.format.read_array(member, allow_pickle=False)
