"""Samples in files: stores of patches (.npy and .json), whitened sets (.npz), plain arrays."""

import json
import os
import zipfile
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from ..errors import InputError
from .arrays import load_array
from .files import complete_file, one_line

# What np.savez_compressed has made small is unpacked in memory, up to this size.
MAX_UNPACKED = 1 << 32
SAMPLES = "samples"


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


@contextmanager
def new_patches(path, width):
    """A PatchWriter; the .npy and the .json file beside it are there when the block is done."""
    path = Path(path)
    if path.suffix.lower() != ".npy":
        raise InputError(f"{path}: the name of a store of patches must end with .npy")
    facts = path.with_suffix(".json")
    with complete_file(facts) as temporary_facts:
        with complete_file(path) as temporary, open(temporary, "wb") as stream:
            writer = PatchWriter(stream, width)
            yield writer
            writer.finish()
            # The facts of an older store must not stand beside the new one.
            facts.unlink(missing_ok=True)
        text = json.dumps({"n_samples": writer.n_samples, **writer.about}, indent=1)
        temporary_facts.write_text(text + "\n")


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
    if Path(path).suffix.lower() != ".npz":
        raise InputError(f"{path}: the name of a whitened set must end with .npz")
    with complete_file(path) as temporary, zipfile.ZipFile(temporary, "w") as archive:
        arrays = {**matrices, "meta": np.array(json.dumps(about))}
        for name, array in arrays.items():
            with archive.open(f"{name}.npy", "w") as stream:
                np.lib.format.write_array(stream, np.asarray(array), allow_pickle=False)
        with archive.open(f"{SAMPLES}.npy", "w", force_zip64=True) as stream:
            width = matrices["whitening"].shape[0]
            _write_header(stream, np.float32, (n_samples, width))
            for block in blocks:
                stream.write(np.ascontiguousarray(block, np.float32).data)


def load_samples(path):
    """Array of samples in a file, memory-mapped if possible, and what is known of them.

    Parameters
    ----------
    path : path
        A store of patches or another .npy file; or an .npz file with whitened samples, with an
        array `samples`, or with a single array.

    Returns
    -------
    array, and a dict: of the .json file, or the other arrays of the .npz file

    Raises
    ------
    InputError
        If it cannot be read.
    """
    if Path(path).suffix.lower() == ".npz":
        return _load_npz(path)
    array = load_array(path)
    facts = Path(path).with_suffix(".json")
    if not facts.is_file():
        return array, {}
    try:
        about = json.loads(facts.read_bytes())
        if about["n_samples"] != len(array) or about["patch_size"] ** 2 != array.shape[1]:
            raise ValueError("it describes other patches")
    except (OSError, ValueError, KeyError, TypeError, IndexError, RecursionError) as error:
        raise InputError(f"{facts}: does not belong to {path} ({error})") from None
    return array, about


def _load_npz(path):
    try:
        with zipfile.ZipFile(path) as archive:
            members = {Path(info.filename).stem: info for info in archive.infolist()}
            name = SAMPLES if SAMPLES in members else next(iter(members), "")
            if name not in members or (name != SAMPLES and len(members) > 1):
                raise ValueError(f"it has {', '.join(members) or 'nothing'}, but no {SAMPLES!r}")
            others = {key: _unpack(archive, info) for key, info in members.items() if key != name}
            return _map_or_unpack(path, archive, members[name]), others
    except FileNotFoundError:
        raise InputError(f"{path}: no such file") from None
    except Exception as error:  # a damaged file can raise nearly anything
        raise InputError(f"{path}: cannot be read as an .npz file ({one_line(error)})") from None


def _map_or_unpack(path, archive, info):
    """An array in an archive: mapped where it lies if it is not compressed."""
    if info.compress_type != zipfile.ZIP_STORED:
        return _unpack(archive, info)
    with archive.open(info) as stream, open(path, "rb") as whole:
        version = np.lib.format.read_magic(stream)
        read = {(1, 0): np.lib.format.read_array_header_1_0}.get(
            version, np.lib.format.read_array_header_2_0
        )
        shape, fortran, dtype = read(stream)
        if dtype.hasobject:
            raise ValueError("it holds objects")
        whole.seek(info.header_offset + 26)
        name_length, extra_length = np.frombuffer(whole.read(4), "<u2").tolist()
        start = info.header_offset + 30 + name_length + extra_length + stream.tell()
    order = "F" if fortran else "C"
    return np.memmap(path, dtype=dtype, mode="r", offset=start, shape=shape, order=order)


def _unpack(archive, info):
    if info.file_size > MAX_UNPACKED:
        raise ValueError(f"{info.filename} is too large to unpack; save it with np.savez")
    with archive.open(info) as stream:
        return np.lib.format.read_array(stream, allow_pickle=False)
