"""Arrays in .npz files: the only place that reads and writes them."""

import json
import struct
import zipfile
from contextlib import contextmanager

import numpy as np

from .atomic_files import complete_file
from .npy import check_header, decoding, map_array

# Arrays that cannot be memory-mapped are read up to this size: compressed zeros could fill any
# memory. Dictionaries and states of learners have a few hundred megabytes at most.
MAX_BYTES = 1 << 30
MAX_META_BYTES = 1 << 28
META = "meta"


class NpzFile:
    """Arrays of an open .npz file, by name; objects are never unpickled.

    Its methods raise nearly anything if the file is damaged: use them within `npy.decoding`.
    """

    def __init__(self, stream):
        self._stream, self._archive = stream, zipfile.ZipFile(stream)
        self._members = {
            member.filename.removesuffix(".npy"): member for member in self._archive.infolist()
        }
        self._bytes_read = 0
        self.names = [name for name in self._members if name != META]

    def __contains__(self, name):
        return name in self._members

    def header(self, name):
        """Return shape and dtype of an array without reading it."""
        member = self._members[name]
        with self._archive.open(member) as stream:
            shape, _, dtype = check_header(stream, member.file_size, member.filename)
        return shape, dtype

    def read(self, name):
        """Read an array into memory."""
        self.header(name)
        member = self._members[name]
        self._bytes_read += member.file_size
        if self._bytes_read > MAX_BYTES:
            raise ValueError(f"{member.filename} is too large to unpack; save it with np.savez")
        with self._archive.open(member) as stream:
            return np.lib.format.read_array(stream, allow_pickle=False)

    def map(self, name):
        """Memory-map an array; read it if it is compressed."""
        member = self._members[name]
        if member.compress_type != zipfile.ZIP_STORED:
            return self.read(name)
        # The local header, whose length varies, precedes the array (APPNOTE.TXT, section 4.3.7).
        self._stream.seek(member.header_offset + 26)
        start = member.header_offset + 30 + sum(struct.unpack("<HH", self._stream.read(4)))
        return map_array(self._stream, start, member.file_size)

    def metadata(self):
        """Return the JSON object in `meta`; an empty one if there is none, or something else."""
        if META not in self:
            return {}
        if self._members[META].file_size > MAX_META_BYTES:
            raise ValueError("its metadata is too large to unpack")
        text = str(self.read(META))
        try:
            content = json.loads(text)
        except (ValueError, RecursionError):
            return {}
        return content if isinstance(content, dict) else {}


def list_arrays(path):
    """Return shape and dtype of the arrays of an .npz file by name, and its metadata."""
    with decoding(path, "an .npz file"), open(path, "rb") as stream:
        file = NpzFile(stream)
        if not file.names:
            raise ValueError("it has no arrays")
        return {name: file.header(name) for name in file.names}, file.metadata()


@contextmanager
def new_npz(path, arrays):
    """Write arrays by name; the open zip file takes more until the block ends.

    `meta` is a JSON object, stored as text. The same content gives the same bytes.
    """
    with complete_file(path) as temporary, zipfile.ZipFile(temporary, "w") as archive:
        for name, value in arrays.items():
            array = np.asarray(json.dumps(value) if name == META else value)
            member = zipfile.ZipInfo(f"{name}.npy")
            # Text has four bytes per character, worth compressing; numbers stay mappable.
            member.compress_type = zipfile.ZIP_DEFLATED if array.dtype.kind == "U" else 0
            with archive.open(member, "w") as stream:
                np.lib.format.write_array(stream, array, allow_pickle=False)
        yield archive
