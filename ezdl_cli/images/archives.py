"""Pictures inside zip and tar archives, read from memory: nothing is ever unpacked to the disk.

An archive with a path that leads out of it, a link, a device or far more content than its size
allows is refused as a whole, and so is one that is cut off.
"""

import bz2
import gzip
import lzma
import math
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
MAX_MEMBERS = 100_000
# What is read to learn of the next member of a tar archive, and of all members of a zip archive.
MAX_HEADER = 1 << 20
MAX_DIRECTORY = 1 << 24
CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")


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
    for number, (name, kind, length, read) in enumerate(members, start=1):
        if number > MAX_MEMBERS:
            raise InputError(f"refused, it has more than {MAX_MEMBERS} members")
        parts = PurePosixPath(name.replace("\\", "/")).parts
        leads_out = ".." in parts or name.startswith(("/", "\\")) or re.match(r"[A-Za-z]:", name)
        if CONTROL.search(name):
            raise InputError(f"refused, {name!r} in it has control characters in its name")
        if leads_out:
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
    stream = _Bounded(stack.enter_context(open(path, "rb")), MAX_DIRECTORY)  # noqa: SIM115
    archive = stack.enter_context(zipfile.ZipFile(stream))
    stream.left = math.inf
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
    stream = _Bounded(stack.enter_context(_unpacked(path)), MAX_HEADER)
    archive = stack.enter_context(tarfile.open(fileobj=stream, mode="r:"))  # noqa: SIM115
    kinds = {tarfile.SYMTYPE: "link", tarfile.LNKTYPE: "link"}
    for info in archive:
        if info.size < 0:
            raise InputError("is damaged or cut off")
        other = kinds.get(info.type, "device")
        kind = "folder" if info.isdir() else "file" if info.isreg() else other
        length = info.size + MAX_HEADER - stream.left
        yield info.name, kind, length, lambda info=info: archive.extractfile(info).read()
        stream.left = MAX_HEADER
    # A damaged header ends the list as if it were the end of the archive.
    stream.seek(archive.offset)
    stream.left = MAX_HEADER
    end = stream.read(MAX_HEADER)
    if len(end) < tarfile.BLOCKSIZE or end.strip(b"\0"):
        raise InputError("is damaged or cut off")
    stream.left = math.inf


def _unpacked(path):
    """The file, through the decompression that its first bytes ask for."""
    with open(path, "rb") as stream:
        start = stream.read(6)
    kinds = {b"\x1f\x8b": gzip.open, b"BZ": bz2.open, b"\xfd7": lzma.open}
    return kinds.get(start[:2], open)(path, "rb")


class _Bounded:
    """A stream of which only so much can be read: a header of a gigabyte is an attack."""

    def __init__(self, stream, left):
        self._stream, self.left = stream, left
        self.seek, self.tell, self.seekable = stream.seek, stream.tell, stream.seekable

    def read(self, size=-1):
        if self.left < math.inf and not 0 <= size <= self.left:
            size = self.left + 1
        content = self._stream.read(size)
        self.left -= len(content)
        if self.left < 0:
            raise InputError("refused, its headers are too large")
        return content
