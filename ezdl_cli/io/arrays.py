"""Arrays in .npy files."""

import os
import warnings
from contextlib import contextmanager

import numpy as np

from ..errors import InputError
from .files import complete_file, one_line


def load_array(path):
    """Array of numbers in a .npy file, memory-mapped and read-only; never unpickles."""
    try:
        with open(path, "rb") as stream:
            if stream.read(6) != b"\x93NUMPY":
                raise ValueError("it does not start like one; np.save writes such files")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            array = np.load(path, mmap_mode="r", allow_pickle=False)
    except FileNotFoundError:
        raise InputError(f"{path}: no such file") from None
    except Exception as error:  # a damaged header can raise nearly anything
        raise InputError(f"{path}: cannot be read as a .npy file ({one_line(error)})") from None
    return array


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
