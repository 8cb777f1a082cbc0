"""Several arrays in one .npz file, the same bytes for the same content."""

import zipfile
from contextlib import contextmanager

import numpy as np

from .atomic_files import complete_file


@contextmanager
def new_npz(path, arrays):
    """Write arrays, by name; the open zip file takes more until the block ends."""
    with complete_file(path) as temporary, zipfile.ZipFile(temporary, "w") as archive:
        for name, value in arrays.items():
            array = np.asarray(value)
            member = zipfile.ZipInfo(f"{name}.npy")
            # Four bytes a letter are worth packing; numbers are not, and can be mapped as they are.
            member.compress_type = zipfile.ZIP_DEFLATED if array.dtype.kind == "U" else 0
            with archive.open(member, "w") as stream:
                np.lib.format.write_array(stream, array, allow_pickle=False)
        yield archive
