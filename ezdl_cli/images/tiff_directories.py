"""Directories of TIFF files and of EXIF data, which have the same form: reading and encoding.

Values stay as the bytes that are in the file, so that what is copied is not changed.
"""

import os
import struct
from dataclasses import dataclass

BYTE_ORDERS = {b"II": "<", b"MM": ">"}
# Bytes per value, by type. 129 is UTF-8 text (EXIF 3.0).
SIZES = {1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 6: 1, 7: 1, 8: 2, 9: 4, 10: 8, 11: 4, 12: 8, 13: 4}
SIZES |= {16: 8, 17: 8, 18: 8, 129: 1}
INTEGERS = {1: "B", 3: "H", 4: "I", 13: "I", 16: "Q", 18: "Q"}
POINTERS = (4, 13, 16, 18)
SHORT, LONG, RATIONAL = 3, 4, 5
# Position and type of the offset of the first directory, types of a directory's length and of the
# tag, type and number of values in an entry; bytes for a value or its offset.
CLASSIC_TIFF, BIG_TIFF = (4, "I", "H", "HHI", 4), (8, "Q", "Q", "HHQ", 8)
MAX_ENTRIES = 4096  # of a directory; cameras write less than a hundred
MAX_SIZE = 1 << 20  # bytes of the values that one reader reads; JPEG files have at most 64 KiB


class TooLargeError(ValueError):
    """The values are larger than MAX_SIZE."""


@dataclass(frozen=True)
class Entry:
    """The values of a tag."""

    # Type of the values, as in TIFF.
    kind: int
    # The values, in the byte order of the file.
    content: bytes
    # Where the file has them, if not in the entry itself.
    offset: int = 0


class TiffReader:
    """Reads directories, each a dict from tag to Entry; ValueError if they are damaged."""

    def __init__(self, stream):
        self._stream = stream
        self._length = stream.seek(0, os.SEEK_END)
        stream.seek(0)
        self.order = BYTE_ORDERS.get(stream.read(2))
        if self.order is None:
            raise ValueError("no TIFF header")
        self._form = BIG_TIFF if self._unpack("H") == (43,) else CLASSIC_TIFF
        stream.seek(self._form[0])
        (self.first,) = self._unpack(self._form[1])
        self._left = MAX_SIZE

    def _unpack(self, codes):
        """Read numbers at the current position."""
        content = self._stream.read(struct.calcsize("=" + codes))
        if len(content) < struct.calcsize("=" + codes):
            raise ValueError("truncated")
        return struct.unpack(self.order + codes, content)

    def directory(self, offset, wanted=None, max_size=MAX_SIZE):
        """Read the directory at an offset.

        Parameters
        ----------
        offset : int
        wanted : collection of int, optional
            Tags to read; by default all.
        max_size : int, optional
            Entries with larger values, in bytes, count as damaged.

        Returns
        -------
        entries : dict from int to Entry
        following : int
            Offset of the next directory, or 0.
        n_damaged : int
            Number of entries that could not be read.

        Raises
        ------
        TooLargeError
            If the values of all directories are too large; they may share bytes of the file.
        """
        _, pointer, length, head, room = self._form
        if not 0 < offset < self._length:
            raise ValueError("a directory beyond the end of the file")
        self._stream.seek(offset)
        (n_entries,) = self._unpack(length)
        if n_entries > MAX_ENTRIES:
            raise ValueError(f"a directory of more than {MAX_ENTRIES} entries")
        form = struct.Struct(f"{self.order}{head}{room}s")
        listed = self._stream.read(n_entries * form.size)
        if len(listed) < n_entries * form.size:
            raise ValueError("truncated")
        following = self._stream.read(room)
        unique = {}
        for tag, kind, count, inline in form.iter_unpack(listed):
            if count and (wanted is None or tag in wanted):  # some cameras write empty entries
                unique.setdefault(tag, (kind, count, inline))
        found = {tag: self._entry(*place, max_size) for tag, place in unique.items()}
        entries = {tag: entry for tag, entry in found.items() if entry is not None}
        n_damaged = len(found) - len(entries)
        complete = len(following) == room
        return (
            entries,
            struct.unpack(self.order + pointer, following)[0] if complete else 0,
            n_damaged,
        )

    def position(self, offset, tag):
        """Return the position of the value of a tag, of a valid directory in a classic TIFF."""
        self._stream.seek(offset)
        (n_entries,) = self._unpack("H")
        tags = [self._unpack("HHII")[0] for _ in range(n_entries)]
        return offset + 2 + 12 * tags.index(tag) + 8

    def pointer(self, entry):
        """Return the offset of a directory; None if the entry is something else.

        Shorter integers than offsets are refused: tifffile reads them together with the unused
        bytes, and sees another directory.
        """
        if entry.kind not in POINTERS or SIZES[entry.kind] != self._form[4]:
            return None
        return integer(self.order, entry)

    def _entry(self, kind, count, inline, max_size):
        """Return an entry, or None if its type or the place of its values is invalid."""
        size = SIZES.get(kind, 0) * count
        if not 0 < size <= max_size:
            return None
        if size <= len(inline):
            return Entry(kind, inline[:size])
        (offset,) = struct.unpack(self.order + self._form[1], inline)
        if offset + size > self._length:
            return None
        self._left -= size
        if self._left < 0:
            raise TooLargeError(f"larger than {MAX_SIZE} bytes")
        self._stream.seek(offset)
        return Entry(kind, self._stream.read(size), offset)


def integer(order, entry):
    """Return the only value of an entry, an unsigned integer; None if it is something else."""
    if entry is None or entry.kind not in INTEGERS or len(entry.content) != SIZES[entry.kind]:
        return None
    return struct.unpack(order + INTEGERS[entry.kind], entry.content)[0]


def encode_directory(directory, order, start, fixed=None):
    """Encode a directory of a classic TIFF, with all that it refers to.

    Parameters
    ----------
    directory : dict from int to Entry or dict
        A dict is a directory that the entry refers to.
    order : {"<", ">"}
    start : int
        Where the result will be in the file.
    fixed : Entry, optional
        An entry whose values remain at their offset, after `start`.

    Returns
    -------
    content : bytes
    offset : int
        That of the directory.
    """
    encoder = _Encoder(order, start, fixed)
    offset = encoder.add(directory)
    return bytes(encoder.content), offset


class _Encoder:
    def __init__(self, order, start, fixed):
        self.content = bytearray()
        self._order, self._start, self._fixed = order, start, fixed
        self._position = start + start % 2
        if fixed is not None:
            self._put(fixed.offset, fixed.content)

    def add(self, directory):
        """Add a directory and what it refers to; return its offset."""
        offset = self._allocate(2 + 12 * len(directory) + 4)
        encoded = struct.pack(self._order + "H", len(directory))
        for tag, entry in sorted(directory.items()):
            if isinstance(entry, dict):
                entry = Entry(LONG, struct.pack(self._order + "I", self.add(entry)))
            head = (tag, entry.kind, len(entry.content) // SIZES[entry.kind])
            encoded += struct.pack(self._order + "HHI", *head) + self._value(entry)
        self._put(offset, encoded + bytes(4))  # no directory follows
        return offset

    def _value(self, entry):
        """Return the four bytes of an entry that are its value or the offset of it."""
        if len(entry.content) <= 4:
            return entry.content.ljust(4, b"\0")
        offset = entry.offset
        if entry is not self._fixed:
            offset = self._allocate(len(entry.content))
            self._put(offset, entry.content)
        return struct.pack(self._order + "I", offset)

    def _allocate(self, size):
        """Return the offset of free bytes."""
        position = self._position
        if self._fixed is not None:
            end = self._fixed.offset + len(self._fixed.content)
            if position < end and position + size > self._fixed.offset:
                position = end + end % 2
        self._position = position + size + size % 2
        return position

    def _put(self, offset, content):
        first = offset - self._start
        end = first + len(content)
        self.content.extend(bytes(max(0, end - len(self.content))))
        self.content[first:end] = content
