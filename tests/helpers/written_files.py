"""Files written by commands: their checksums, and whether they are complete."""

import hashlib
import io
import json

import numpy as np
import tifffile
from PIL import Image

TEMPORARY = ".ezdl-"
ENDS = {
    ".pdf": (b"%%EOF\n", b"%%EOF"),
    ".html": b"</html>\n",
    ".csv": b"\n",
    ".jsonl": b"\n",
    ".json": b"\n",
}


def contents(folder, leave_out=()):
    """Return the checksums of all files below a folder by relative path."""
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.rglob("*")
        if path.is_file() and path.name not in leave_out
    }


def is_temporary(name):
    """Return whether a path belongs to a temporary file of an atomic write."""
    return any(part.startswith(TEMPORARY) for part in name.split("/"))


def what_is_damaged(path):
    """Return what is wrong with a written file, or None."""
    content = path.read_bytes()
    try:
        wrong = READERS.get(path.suffix, lambda content: None)(content)
    except Exception as error:  # whatever a library raises for a damaged file
        return repr(error)
    return wrong or (None if content.endswith(ENDS.get(path.suffix, b"")) else "truncated")


def _array(content):
    return _finite([np.load(io.BytesIO(content))])


def _arrays(content):
    with np.load(io.BytesIO(content)) as file:
        return _finite([file[name] for name in file.files])


def _finite(arrays):
    finite = all(np.isfinite(array).all() for array in arrays if array.dtype.kind == "f")
    return None if finite else "numbers are not finite"


def _picture(content):
    with Image.open(io.BytesIO(content)) as image:
        image.load()


def _tiff(content):
    with tifffile.TiffFile(io.BytesIO(content)) as file:
        page = file.pages[0]
        page.asarray()
        below = [tag.value for tag in page.tags if tag.code in (34665, 34853)]
    return None if all(isinstance(part, dict) for part in below) else "damaged EXIF data"


def _lines(content):
    for line in content.splitlines():
        json.loads(line)


READERS = {
    ".npy": _array,
    ".npz": _arrays,
    ".png": _picture,
    ".webp": _picture,
    ".tif": _tiff,
    ".json": lambda content: json.loads(content) and None,
    ".jsonl": _lines,
    ".csv": lambda content: content.decode() and None,
    ".html": lambda content: content.decode() and None,
}
