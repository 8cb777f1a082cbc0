"""A file has its name only once it is complete."""

import errno
import hashlib
import json
import os
import shutil
import threading
from contextlib import contextmanager
from pathlib import Path

from ..errors import InputError, one_line

MAX_WHOLE = 1 << 26  # bytes of what is held in memory as a whole
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def check_target(path):
    """Where a file can be written: the path, or what it links to.

    Raises
    ------
    InputError
        If the folder is missing, or there is something else under this name than a file that may
        be written.
    """
    path = Path(path)
    try:
        path = path.resolve() if path.is_symlink() else path
        if path.is_dir():
            raise InputError(f"{path}: is a folder; give the name of a file")
        if path.exists() and not path.is_file():
            raise InputError(f"{path}: is no ordinary file; give another name")
        if path.exists() and not path.stat().st_mode & 0o222:
            raise InputError(f"{path}: is read-only; make it writable, or give another name")
        if not path.parent.is_dir():
            raise InputError(f"{path}: there is no folder {path.parent}; make it first")
    except (OSError, RuntimeError) as error:
        raise InputError(f"{path}: cannot be written ({one_line(error)})") from None
    return path


def check_not_among(target, sources):
    """Refuse to write over a file that is read."""
    target = Path(target)
    for source in map(Path, sources):
        if target.exists() and source.exists() and target.samefile(source):
            raise InputError(f"{target}: would be written over what is read; give another name")


@contextmanager
def complete_file(path):
    """Path of a temporary file in the same folder, which takes the final name at the end.

    If the block fails, the temporary file is removed and an older file stays as it was.
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
        if error.filename == str(temporary) or (error.filename is None and error.errno in FULL):
            error.filename = str(path)
        raise
    finally:
        temporary.unlink(missing_ok=True)


def sync(path):
    """Make sure that a file or folder is on the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def new_name(path):
    """A temporary name beside a path, for this thread alone."""
    thread = threading.get_native_id()
    return path.with_name(f".ezdl-{_tag(path)}-{thread}-{os.getpid()}.tmp")


def remove_leftovers(path):
    """Remove temporary files and folders that killed processes have left beside a path."""
    for leftover in path.parent.glob(f".ezdl-{_tag(path)}-*.tmp"):
        process = leftover.stem.rpartition("-")[2]
        if process.isdecimal() and not is_running(int(process)):
            if leftover.is_dir():
                shutil.rmtree(leftover, ignore_errors=True)
            else:
                leftover.unlink(missing_ok=True)


def _tag(path):
    return hashlib.sha256(os.fsencode(path.name)).hexdigest()[:8]


def is_running(process):
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:  # it belongs to someone else
        return True
    return True


def check_source(path):
    """Refuse what is no file to read: InputError says why."""
    path = Path(path)
    if not path.exists():
        raise InputError(f"{path}: no such file")
    if not path.is_file():
        what = "a folder" if path.is_dir() else "no ordinary file"
        raise InputError(f"{path}: is {what}; give the name of a file")


def read_whole(path):
    """The content of a file that is held in memory as a whole.

    Raises
    ------
    OSError or InputError
        If it cannot be read, or is larger than any of ours.
    """
    check_source(path)
    with open(path, "rb") as stream:
        content = stream.read(MAX_WHOLE + 1)
    if len(content) > MAX_WHOLE:
        raise InputError(f"{path}: has more than {MAX_WHOLE} bytes; is it one of ours?")
    return content


def read_json(path):
    """What a file of JSON holds.

    Raises
    ------
    OSError, ValueError or RecursionError
        If it cannot be read, or is larger than any of ours.
    """
    return json.loads(read_whole(path))


def check_results(path):
    """Refuse what is no folder of results of the pipeline."""
    path = Path(path)
    if not path.is_dir():
        raise InputError(f"{path}: no such folder")
    if not (path / "tables").is_dir() and not (path / "figures").is_dir():
        raise InputError(f"{path}: has no folder tables or figures; give one such as results/quick")


def check_folder(path):
    """Where a folder can be made or filled: the path, or what it links to."""
    if not str(path):
        raise InputError("the name of the folder is empty")
    path = Path(path)
    try:
        path = path.resolve() if path.is_symlink() else path
        if path.exists() and not path.is_dir():
            raise InputError(f"{path}: is a file; give the name of a folder")
        if not path.exists() and not path.parent.is_dir():
            raise InputError(f"{path}: there is no folder {path.parent}; make it first")
    except (OSError, RuntimeError) as error:
        raise InputError(f"{path}: cannot be written ({one_line(error)})") from None
    return path
