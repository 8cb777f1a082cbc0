"""Several arrays in one .npz file, the same bytes for the same content."""

import zipfile
from contextlib import contextmanager

import numpy as np

from .files import complete_file


@contextmanager
def new_npz(path, arrays):
    """Write arrays, by name; the open zip file takes more until the block ends."""
    with complete_file(path) as temporary, zipfile.ZipFile(temporary, "w") as archive:
        for name, array in arrays.items():
            with archive.open(f"{name}.npy", "w") as stream:
                np.lib.format.write_array(stream, np.asarray(array), allow_pickle=False)
        yield archive
