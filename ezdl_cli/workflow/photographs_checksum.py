"""Checksum by which the pipeline notices changes in a folder of photographs."""

import hashlib
import os
from pathlib import Path

from ..images.finding import files_below


def photographs_checksum(images):
    """Return a checksum of names, sizes and modification times, for "builtin" a constant.

    Photographs cannot be input files of a rule: Snakemake does not accept every file name.
    """
    digest = hashlib.sha256()
    if images != "builtin" and Path(images).is_dir():
        for path in files_below(images):
            status = path.stat()
            state = f" {status.st_size} {status.st_mtime_ns}\0"
            digest.update(os.fsencode(path) + state.encode())
    return digest.hexdigest()
