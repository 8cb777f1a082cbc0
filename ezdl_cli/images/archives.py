"""Pictures inside zip and tar archives, read from memory: nothing is ever unpacked to the disk.

An archive with a path that leads out of it, a link, a device or far more content than its size
allows is refused as a whole.
"""

import os
import stat
import tarfile
import zipfile
from contextlib import ExitStack, contextmanager
from pathlib import Path, PurePosixPath

from ..errors import InputError

SUFFIXES = (".zip", ".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tbz2", ".tar.xz", ".txz")
# Photographs shrink by less than ten times; what shrinks by more than this was made to do harm.
MAX_RATIO = 100
ALWAYS_ALLOWED = 1 << 27
MAX_MEMBER = 1 << 30


def is_archive(path):
    """Whether a name is that of an archive."""
    return str(path).lower().endswith(SUFFIXES)


def stem(path):
    """Name of an archive without its ending."""
    name = Path(path).name
    ending = max((s for s in SUFFIXES if name.lower().endswith(s)), key=len, default="")
    return name[: len(name) - len(ending)]


@contextmanager
def opened(path):
    """List of an archive's files: pairs of a name and a function that gives the content.

    The contents must be asked for in this order, or a compressed tar is read again and again.

    Raises
    ------
    InputError
        If it is no archive, is damaged, or is refused.
    """
    with ExitStack() as stack:
        try:
            files = list(_files(path, stack))
        except InputError:
            raise
        except Exception as error:  # a damaged archive can raise nearly anything
            reason = " ".join(str(error).split()) or type(error).__name__
            raise InputError(f"{path}: cannot be read as an archive ({reason})") from None
        yield files


def _files(path, stack):
    """The files among the members, each checked before the next one is looked at."""
    if zipfile.is_zipfile(path) and not tarfile.is_tarfile(path):
        members = _zip_members(stack.enter_context(zipfile.ZipFile(path)))
    else:
        members = _tar_members(stack.enter_context(tarfile.open(path)))  # noqa: SIM115
    allowed = max(ALWAYS_ALLOWED, MAX_RATIO * os.stat(path).st_size)
    total = 0
    for name, kind, length, read in members:
        parts = PurePosixPath(name.replace("\\", "/")).parts
        if ".." in parts or name.startswith(("/", "\\")) or (parts and parts[0].endswith(":")):
            raise InputError(f"{path}: refused, {name!r} in it leads out of the archive")
        if kind in ("link", "device"):
            raise InputError(f"{path}: refused, {name!r} in it is a {kind}")
        total += length
        if length > MAX_MEMBER or total > allowed:
            raise InputError(
                f"{path}: refused, it unpacks to more than its size allows"
                f" ({name!r}; a decompression bomb?)"
            )
        if kind == "file":
            yield "/".join(parts), read


def _zip_members(archive):
    """Name, kind, size and reader of each member of a zip archive."""
    for info in archive.infolist():
        mode = info.external_attr >> 16
        kind = "folder" if info.is_dir() else "link" if stat.S_ISLNK(mode) else "file"
        yield info.filename, kind, info.file_size, lambda info=info: archive.read(info)


def _tar_members(archive):
    """The same of a tar archive."""
    for info in archive:
        kind = "folder" if info.isdir() else "file" if info.isreg() else "link"
        if kind == "link" and not (info.issym() or info.islnk()):
            kind = "device"
        yield info.name, kind, info.size, lambda info=info: archive.extractfile(info).read()
