"""Pictures inside zip and tar archives, read from memory: nothing is ever unpacked to the disk.

An archive with a path that leads out of it, a link, a device or far more content than its size
allows is refused as a whole, and so is one that is cut off.
"""

import bz2
import gzip
import lzma
import os
import re
import stat
import tarfile
import zipfile
from contextlib import ExitStack, contextmanager
from pathlib import Path, PurePosixPath

from ..errors import InputError, one_line

SUFFIXES = (".zip", ".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tbz2", ".tar.xz", ".txz")
# Photographs shrink by less than ten times; what shrinks by more than this was made to do harm.
MAX_RATIO = 100
ALWAYS_ALLOWED = 1 << 27
MAX_MEMBER = 1 << 30
MAX_HEADER = 1 << 20


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
    if not os.path.isfile(path):
        raise InputError(f"{path}: is no ordinary file")
    with ExitStack() as stack:
        try:
            files = list(_files(path, stack))
        except InputError as error:
            raise InputError(f"{path}: {error}") from None
        except Exception as error:  # a damaged archive can raise nearly anything
            reason = one_line(error) or type(error).__name__
            raise InputError(f"{path}: cannot be read as an archive ({reason})") from None
        yield files


def _files(path, stack):
    """The files among the members, each checked before the next one is looked at."""
    is_zip = str(path).lower().endswith(".zip")
    members = _zip_members(path, stack) if is_zip else _tar_members(path, stack)
    allowed = max(ALWAYS_ALLOWED, MAX_RATIO * os.stat(path).st_size)
    for name, kind, length, read in members:
        parts = PurePosixPath(name.replace("\\", "/")).parts
        leads_out = ".." in parts or name.startswith(("/", "\\")) or re.match(r"[A-Za-z]:", name)
        if leads_out or "\0" in name:
            raise InputError(f"refused, {name!r} in it leads out of the archive")
        if kind in ("link", "device"):
            raise InputError(f"refused, {name!r} in it is a {kind}")
        allowed -= length
        if length > MAX_MEMBER or allowed < 0:
            raise InputError(
                "refused, it unpacks to more than its size allows"
                f" ({name!r}; a decompression bomb?)"
            )
        if kind == "file":
            yield "/".join(parts), read


def _zip_members(path, stack):
    """Name, kind, size and reader of each member of a zip archive."""
    archive = stack.enter_context(zipfile.ZipFile(path))
    for info in archive.infolist():
        if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise InputError(f"{info.filename!r} in it is not compressed by deflate, as usual")
        mode = info.external_attr >> 16
        kind = "folder" if info.is_dir() else "link" if stat.S_ISLNK(mode) else "file"
        yield info.filename, kind, info.file_size, lambda info=info: _read_zipped(archive, info)


def _read_zipped(archive, info):
    """Content of a member, and never more than it says to have."""
    if info.flag_bits & 1:
        raise InputError("is encrypted")
    with archive.open(info) as stream:
        return stream.read(info.file_size)


def _tar_members(path, stack):
    """The same of a tar archive."""
    stream = _Bounded(stack.enter_context(_unpacked(path)))
    archive = stack.enter_context(tarfile.open(fileobj=stream, mode="r:"))  # noqa: SIM115
    kinds = {tarfile.SYMTYPE: "link", tarfile.LNKTYPE: "link"}
    for info in archive:
        other = kinds.get(info.type, "device")
        kind = "folder" if info.isdir() else "file" if info.isreg() else other
        yield info.name, kind, info.size, lambda info=info: archive.extractfile(info).read()
    # A damaged header ends the list as if it were the end of the archive.
    stream.seek(archive.offset)
    end = stream.read(MAX_HEADER)
    if len(end) < tarfile.BLOCKSIZE or end.strip(b"\0"):
        raise InputError("is damaged or cut off")
    stream.limit = MAX_MEMBER


def _unpacked(path):
    """The file, through the decompression that its first bytes ask for."""
    with open(path, "rb") as stream:
        start = stream.read(6)
    kinds = {b"\x1f\x8b": gzip.open, b"BZ": bz2.open, b"\xfd7": lzma.open}
    return kinds.get(start[:2], open)(path, "rb")


class _Bounded:
    """A stream that refuses to read much at once: a header of a gigabyte is an attack."""

    def __init__(self, stream):
        self._stream, self.limit = stream, MAX_HEADER
        self.seek, self.tell = stream.seek, stream.tell

    def read(self, size=-1):
        if not 0 <= size <= self.limit:
            raise InputError("refused, it has a header of more than a megabyte")
        return self._stream.read(size)
