"""What an .npz file holds, from the headers of its arrays alone."""

import json
import math
import zipfile
from pathlib import Path

import numpy as np

from ..errors import InputError, one_line
from .npy import read_header
from .paths import check_source

MAX_META_BYTES = 1 << 28


def list_arrays(path):
    """Arrays of an .npz file, which are not read, and what its `meta` says.

    Returns
    -------
    arrays : dict
        Pairs of shape and dtype, by name, without `meta`.
    meta : dict
        Empty if there is none, or none of that form.

    Raises
    ------
    InputError
        If it cannot be read, or holds objects, which would have to be unpickled.
    """
    check_source(path)
    arrays, meta = {}, {}
    try:
        with zipfile.ZipFile(path) as archive:
            for info in archive.infolist():
                name = Path(info.filename).stem
                with archive.open(info) as stream:
                    arrays[name] = _checked_header(stream, info)
            if "meta" in arrays:
                meta = _read_meta(archive)
                del arrays["meta"]
        if not arrays:
            raise ValueError("it has no arrays")
    except Exception as error:  # a damaged file can raise nearly anything
        raise InputError(f"{path}: cannot be read as an .npz file ({one_line(error)})") from None
    return arrays, meta


def _checked_header(stream, info):
    """Shape and dtype of an array, whose size must be that of the member of the archive."""
    shape, _, dtype = read_header(stream)
    if dtype.hasobject:
        raise ValueError(f"{info.filename} holds objects, not numbers")
    if min(shape, default=0) < 0 or math.prod(shape) * dtype.itemsize > info.file_size:
        raise ValueError(f"{info.filename} is cut off")
    return shape, dtype


def _read_meta(archive):
    info = next(info for info in archive.infolist() if Path(info.filename).stem == "meta")
    if info.file_size > MAX_META_BYTES:
        return {}
    with archive.open(info) as stream:
        text = str(np.lib.format.read_array(stream, allow_pickle=False))
    try:
        meta = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return meta if isinstance(meta, dict) else {}
