"""Files in zip and tar archives, read into memory: nothing is ever extracted to the disk."""

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
from pathlib import Path

from ..errors import InputError, one_line
from .guards.archive_members import MAX_TAR_HEADER, MAX_ZIP_DIRECTORY, BoundedStream, checked

NAME = re.compile(r"(.*)\.(?:zip|tar|tar\.gz|tgz|tar\.bz2|tbz2|tar\.xz|txz)", re.I | re.S)
DECOMPRESSORS = {b"\x1f\x8b": gzip.open, b"BZ": bz2.open, b"\xfd7": lzma.open}
TAR_LINKS = (tarfile.SYMTYPE, tarfile.LNKTYPE)


def archive_stem(path):
    """Name of an archive without its ending; None if the file name is not that of an archive."""
    name = NAME.fullmatch(Path(path).name)
    return name and name[1]


@contextmanager
def open_archive(path):
    """List the files of an archive: pairs of a name and a function that reads the content.

    Read the contents in this order: otherwise, a compressed tar is decompressed repeatedly.
    """
    if not os.path.isfile(path):
        raise InputError(f"{path}: not a regular file")
    list_members = _zip_members if str(path).lower().endswith(".zip") else _tar_members
    with ExitStack() as stack:
        try:
            files = list(checked(list_members(path, stack), os.stat(path).st_size))
        except InputError as error:
            raise InputError(f"{path}: {error}") from None
        except Exception as error:  # a damaged archive can raise nearly anything
            reason = one_line(error) or type(error).__name__
            raise InputError(f"{path}: cannot be read as an archive ({reason})") from None
        yield files


def _zip_members(path, stack):
    """Yield name, kind, size and reader of each member of a zip archive."""
    stream = BoundedStream(stack.enter_context(open(path, "rb")), MAX_ZIP_DIRECTORY)  # noqa: SIM115
    archive = stack.enter_context(zipfile.ZipFile(stream))
    stream.left = math.inf
    for info in archive.infolist():
        if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise InputError(
                f"member {info.filename!r} is compressed by a method other than deflate"
            )
        is_link = stat.S_ISLNK(info.external_attr >> 16)
        kind = "folder" if info.is_dir() else "link" if is_link else "file"
        yield info.filename, kind, info.file_size, lambda info=info: _read_zipped(archive, info)


def _read_zipped(archive, info):
    """Read a member, and never more than its declared size."""
    if info.flag_bits & 1:
        raise InputError("encrypted")
    with archive.open(info) as stream:
        return stream.read(info.file_size)


def _tar_members(path, stack):
    """Yield name, kind, size and reader of each member of a tar archive."""
    with open(path, "rb") as stream:
        open_stream = DECOMPRESSORS.get(stream.read(2), open)
    stream = BoundedStream(stack.enter_context(open_stream(path, "rb")), MAX_TAR_HEADER)
    archive = stack.enter_context(tarfile.open(fileobj=stream, mode="r:"))  # noqa: SIM115
    for info in archive:
        if info.size < 0:
            raise InputError("damaged or truncated")
        other = "link" if info.type in TAR_LINKS else "device"
        kind = "folder" if info.isdir() else "file" if info.isreg() else other
        size = info.size + MAX_TAR_HEADER - stream.left
        yield info.name, kind, size, lambda info=info: archive.extractfile(info).read()
        stream.left = MAX_TAR_HEADER
    # A damaged header ends the iteration as if it were the end of the archive.
    stream.seek(archive.offset)
    stream.left = MAX_TAR_HEADER
    end = stream.read(MAX_TAR_HEADER)
    if len(end) < tarfile.BLOCKSIZE or end.strip(b"\0"):
        raise InputError("damaged or truncated")
    stream.left = math.inf
