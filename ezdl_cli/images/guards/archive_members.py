"""Limits on the members of an archive, and on what is read to list them."""

import math
import re
from pathlib import PurePosixPath

from ...errors import InputError

# Photographs compress by less than 10:1; what compresses by more than this is an attack.
MAX_RATIO = 100
ALWAYS_ALLOWED = 1 << 27  # bytes
MAX_MEMBER = 1 << 30  # bytes
MAX_MEMBERS = 100_000
MAX_TAR_HEADER = 1 << 20  # bytes, of one member
MAX_ZIP_DIRECTORY = 1 << 24  # bytes, of all members
CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
DRIVE = re.compile(r"[A-Za-z]:")


def checked(members, archive_size):
    """Yield the normalised name and the reader of each file; refuse dangerous members.

    Members are tuples (name, kind, size, reader), where the kind is "file", "folder", "link" or
    "device".
    """
    left = max(ALWAYS_ALLOWED, MAX_RATIO * archive_size)
    for number, (name, kind, size, read) in enumerate(members, start=1):
        if number > MAX_MEMBERS:
            raise InputError(f"refused: more than {MAX_MEMBERS} members")
        parts = PurePosixPath(name.replace("\\", "/")).parts
        if CONTROL.search(name):
            raise InputError(f"refused: control characters in the member name {name!r}")
        if ".." in parts or name.startswith(("/", "\\")) or DRIVE.match(name):
            raise InputError(f"refused: the path of member {name!r} leads out of the archive")
        if kind in ("link", "device"):
            raise InputError(f"refused: member {name!r} is a {kind}")
        left -= size
        if size > MAX_MEMBER or left < 0:
            raise InputError(f"refused: member {name!r} is too large (a decompression bomb?)")
        if kind == "file":
            yield "/".join(parts), read


class BoundedStream:
    """A stream that refuses to read more than `left` bytes: headers of a gigabyte are an attack."""

    def __init__(self, stream, left):
        self._stream, self.left = stream, left
        self.seek, self.tell, self.seekable = stream.seek, stream.tell, stream.seekable

    def read(self, size=-1):
        if self.left < math.inf and not 0 <= size <= self.left:
            size = self.left + 1
        content = self._stream.read(size)
        self.left -= len(content)
        if self.left < 0:
            raise InputError("refused: headers too large")
        return content
