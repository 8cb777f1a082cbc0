"""Files that are written atomically: a file has its final name only once it is complete."""

import errno
import hashlib
import os
import shutil
import threading
from contextlib import contextmanager

from ..errors import InputError
from ..platforms import has_ended, sync
from .paths import check_source, check_target

# Largest file that is read into memory as bytes; figures and claims have a few megabytes.
MAX_BYTES = 1 << 26
DISK_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


@contextmanager
def complete_file(path):
    """Yield the path of a temporary file in the same folder, which is renamed at the end.

    If the block fails, the temporary file is removed and an older file stays unchanged.
    """
    path = check_target(path)
    remove_leftovers(path)
    temporary = new_name(path)
    try:
        yield temporary
        if path.exists():
            shutil.copymode(path, temporary)
        sync(temporary)
        os.replace(temporary, path)
        sync(path.parent)
    except OSError as error:
        # Report the name that the user gave, not the temporary one.
        if error.filename == str(temporary) or (
            error.filename is None and error.errno in DISK_FULL
        ):
            error.filename = str(path)
        raise
    finally:
        temporary.unlink(missing_ok=True)


def save_bytes(path, content):
    """Write bytes to a file."""
    with complete_file(path) as temporary:
        temporary.write_bytes(content)


def save_text(path, text):
    """Write text as UTF-8; lone surrogates, as in undecodable file names, are escaped."""
    save_bytes(path, text.encode("utf-8", "backslashreplace"))


def save_png(path, pixels):
    """Write an array of uint8, (height, width) or (height, width, 3), as a PNG image."""
    from PIL import Image

    with complete_file(path) as temporary:
        Image.fromarray(pixels).save(temporary, "PNG")


def read_whole(path):
    """Return the content of a file; raise OSError, or InputError if it exceeds `MAX_BYTES`."""
    check_source(path)
    with open(path, "rb") as stream:
        content = stream.read(MAX_BYTES + 1)
    if len(content) > MAX_BYTES:
        raise InputError(f"{path}: is larger than {MAX_BYTES} bytes; was it written by ezdl?")
    return content


def new_name(path):
    """Return a temporary name in the folder of a path, unique to this thread."""
    thread = threading.get_native_id()
    return path.with_name(f".ezdl-{_tag(path)}-{thread}-{os.getpid()}.tmp")


def remove_leftovers(path):
    """Remove temporary files and folders that killed processes left for a path."""
    for leftover in path.parent.glob(f".ezdl-{_tag(path)}-*.tmp"):
        process = leftover.stem.rpartition("-")[2]
        if process.isdecimal() and has_ended(int(process)):
            if leftover.is_dir():
                shutil.rmtree(leftover, ignore_errors=True)
            else:
                leftover.unlink(missing_ok=True)


def _tag(path):
    return hashlib.sha256(os.fsencode(path.name)).hexdigest()[:8]
