"""Arrays in .npy files."""

import math
import os
import warnings
from contextlib import contextmanager

import numpy as np

from ..errors import InputError, one_line
from .atomic_files import complete_file
from .paths import check_source


def load_array(path):
    """Array of numbers in a .npy file, memory-mapped and read-only; never unpickles."""
    check_source(path)
    try:
        with open(path, "rb") as stream:
            return map_array(stream)
    except Exception as error:  # a damaged header can raise nearly anything
        raise InputError(f"{path}: cannot be read as a .npy file ({one_line(error)})") from None


def map_array(stream, start=0, end=None):
    """Memory-mapped array of an open file, which is there in the form of .npy.

    Parameters
    ----------
    stream : file, open for reading bytes
    start, end : int
        Where the array is in the file [all of it].

    Raises
    ------
    ValueError
        If it is damaged, or holds something else than numbers.
    """
    stream.seek(start)
    if stream.read(6) != b"\x93NUMPY":
        raise ValueError("it does not start like one; np.save writes such files")
    stream.seek(start)
    shape, fortran, dtype = read_header(stream)
    if dtype.hasobject:
        raise ValueError("it holds objects, not numbers")
    place = stream.tell()
    if end is not None and place + math.prod(shape) * dtype.itemsize > end:
        raise ValueError("it is cut off")
    order = "F" if fortran else "C"
    return np.memmap(stream, dtype=dtype, mode="r", offset=place, shape=shape, order=order)


def read_header(stream):
    """Shape, whether in Fortran order, and dtype of an array in the form of .npy."""
    versions = {(1, 0): np.lib.format.read_array_header_1_0}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        version = np.lib.format.read_magic(stream)
        return versions.get(version, np.lib.format.read_array_header_2_0)(stream)


@contextmanager
def new_array(path, dtype, shape):
    """Writable, memory-mapped .npy file that is complete at the end of the block."""
    with complete_file(path) as temporary:
        array = np.lib.format.open_memmap(temporary, mode="w+", dtype=dtype, shape=shape)
        # Take the room on the disk now: a full disk is an error here, and death by signal later.
        with open(temporary, "r+b") as stream:
            os.posix_fallocate(stream.fileno(), 0, max(1, os.fstat(stream.fileno()).st_size))
        yield array
        array.flush()
        del array
