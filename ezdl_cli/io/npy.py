"""Arrays in .npy files."""

import math
import os
import warnings
from contextlib import contextmanager

import numpy as np

from ..errors import InputError, one_line
from ..platforms import CAN_RENAME_OPEN_FILES, allocate
from .atomic_files import complete_file
from .paths import check_source


@contextmanager
def decoding(path, kind):
    """Raise an InputError for whatever is raised while a file is decoded."""
    check_source(path)
    try:
        yield
    except InputError:
        raise
    except Exception as error:  # zipfile and numpy raise nearly anything for a damaged file
        raise InputError(f"{path}: cannot be read as {kind} ({one_line(error)})") from None


def load_array(path):
    """Memory-map the array of numbers in a .npy file, read-only; objects are never unpickled."""
    with decoding(path, "a .npy file"), open(path, "rb") as stream:
        return map_array(stream)


def map_array(stream, start=0, size=None):
    """Memory-map an array in .npy format, of `size` bytes from `start` in an open file.

    Raises ValueError if it is damaged, or holds something else than numbers.
    """
    size = os.fstat(stream.fileno()).st_size - start if size is None else size
    stream.seek(start)
    shape, fortran, dtype = check_header(stream, size)
    order = "F" if fortran else "C"
    offset = stream.tell()
    return np.memmap(stream, dtype=dtype, mode="r", offset=offset, shape=shape, order=order)


def check_header(stream, size, name="it"):
    """Return shape, whether in Fortran order, and dtype of an array in .npy format.

    Raises ValueError if it holds objects, which would have to be unpickled, or if it does not fit
    into the `size` bytes that it has with its header.
    """
    start, form = stream.tell(), np.lib.format
    magic = stream.read(form.MAGIC_LEN)
    if not magic.startswith(form.MAGIC_PREFIX):
        raise ValueError(f"{name} does not start like a .npy file, which np.save writes")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about headers that Python 2 wrote
        first = magic.endswith(b"\x01\x00")
        read = form.read_array_header_1_0 if first else form.read_array_header_2_0
        shape, fortran, dtype = read(stream)
    if dtype.hasobject:
        raise ValueError(f"{name} holds objects, not numbers")
    end = stream.tell() + math.prod(shape) * dtype.itemsize
    if min(shape, default=0) < 0 or end > start + size:
        raise ValueError(f"{name} is truncated")
    return shape, fortran, dtype


@contextmanager
def new_array(path, dtype, shape):
    """Yield the writable array of a .npy file that gets its name at the end of the block.

    It is memory-mapped, except where files that are mapped cannot be renamed.
    """
    with complete_file(path) as temporary:
        if not CAN_RENAME_OPEN_FILES:  # the caller still has the array when that happens
            array = np.zeros(shape, dtype)
            yield array
            with open(temporary, "wb") as stream:
                np.lib.format.write_array(stream, array, allow_pickle=False)
            return
        array = np.lib.format.open_memmap(temporary, mode="w+", dtype=dtype, shape=shape)
        # Allocate the disk space now: a full disk is an error here, and a fatal signal later.
        with open(temporary, "r+b") as stream:
            allocate(stream, max(1, os.fstat(stream.fileno()).st_size))
        yield array
        array.flush()
        del array
