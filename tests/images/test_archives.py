"""Malicious archives are refused with the reason; unusual ones are read."""

import bz2
import gzip
import io
import lzma
import struct
import tarfile
import zipfile
import zlib

import pytest

from ezdl_cli.errors import InputError
from ezdl_cli.images.archives import open_archive
from ezdl_cli.images.guards.archive_members import MAX_MEMBERS, MAX_ZIP_DIRECTORY

CONTENT = b"content of an image file"
END = bytes(10240)


def zipped(*names):
    """A zip archive that can be modified."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name in names:
            archive.writestr(name, CONTENT)
    return bytearray(stream.getvalue())


def changed(content, offset, new):
    """The zip archive with bytes replaced in the first entry of its directory."""
    start = content.index(b"PK\1\2") + offset
    content[start : start + len(new)] = new
    return content


def overlapping(count, size):
    """A zip archive whose members share the same bytes of the file: a bomb without nesting."""
    packed = zlib.compress(bytes(size), 9)[2:-4]
    sizes = (zlib.crc32(bytes(size)), len(packed), size, 1)
    local = struct.pack("<4s5H3I2H", b"PK\3\4", 20, 0, 8, 0, 0, *sizes, 0) + b"a" + packed
    entry = struct.pack("<4s6H3I5H2I", b"PK\1\2", 20, 20, 0, 8, 0, 0, *sizes, *[0] * 6) + b"a"
    lengths = (len(entry) * count, len(local), 0)
    end = struct.pack("<4s4H2IH", b"PK\5\6", 0, 0, count % 65536, count % 65536, *lengths)
    return local + entry * count + end


def zip64_of_many_bytes():
    content = changed(changed(zipped("a.png"), 24, b"\xff" * 4), 30, struct.pack("<H", 12))
    directory = content.index(b"PK\1\2")
    content[directory + 51 : directory + 51] = struct.pack("<HHQ", 1, 8, 1 << 62)
    end = content.index(b"PK\5\6")
    content[end + 12 : end + 16] = struct.pack("<I", end - directory)
    return content


def header(name="a.png", kind=tarfile.REGTYPE, size=0, change=None):
    """A header of a tar archive; `change` is a position and the bytes to put there."""
    info = tarfile.TarInfo(name)
    info.type, info.size = kind, size
    block = bytearray(info.tobuf(tarfile.GNU_FORMAT))
    if change:
        offset, new = change
        block[offset : offset + len(new)] = new
        block[148:156] = b" " * 8
        block[148:156] = b"%06o\0 " % sum(block)
    return bytes(block)


def with_pax_header(**values):
    """A tar archive with a header that contradicts the usual one."""
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w", format=tarfile.PAX_FORMAT) as archive:
        info = tarfile.TarInfo("a.png")
        info.size = len(CONTENT)
        info.pax_headers = {name.replace("_", "."): value for name, value in values.items()}
        archive.addfile(info, io.BytesIO(CONTENT))
    return stream.getvalue()


def sparse_without_end():
    """A member whose map of holes never ends: each block announces a further one."""
    more = bytearray(512)
    more[504] = 1
    start = header(kind=tarfile.GNUTYPE_SPARSE, change=(482, b"\1"))
    return gzip.compress(start + bytes(more) * 100_000, 1)


def many_global_headers():
    """Headers that apply to all members that follow, each with keys of its own."""
    settings = b""
    for number in range(2000):
        records = b"".join(b"31 %06d.%06d=123456789012\n" % (number, i) for i in range(30))
        settings += header(kind=tarfile.XGLTYPE, size=len(records)) + records.ljust(1024, b"\0")
    return settings + END


TEN_GIGABYTES = header(size=10 << 30) + bytes(1 << 20)

ATTACKS = {
    "backslashes.zip": (lambda: zipped("..\\a.png"), "leads out"),
    "drive.zip": (lambda: zipped("C:a.png"), "leads out"),
    "share.zip": (lambda: zipped("\\\\server\\a.png"), "leads out"),
    "newline.zip": (lambda: zipped("a\nezdl: all is well.png"), "control characters"),
    "terminal.zip": (lambda: zipped("a\x1b[2J.png"), "control characters"),
    "no-utf-8.zip": (lambda: changed(changed(zipped("a.png"), 8, b"\0\10"), 46, b"\xff"), "utf-8"),
    "bomb.zip": (lambda: overlapping(3000, 1 << 20), "too large"),
    "many.zip": (lambda: overlapping(MAX_MEMBERS + 1, 0), f"{MAX_MEMBERS} members"),
    "directory.zip": (lambda: overlapping(MAX_ZIP_DIRECTORY // 47 + 1, 0), "headers too large"),
    "zip64.zip": (zip64_of_many_bytes, "too large"),
    "absolute.tar": (lambda: header("/a.png") + END, "leads out"),
    "newline.tar": (lambda: header("a\n.png") + END, "control characters"),
    "device.tar": (lambda: header(kind=tarfile.CHRTYPE) + END, "device"),
    "unknown.tar": (lambda: header(kind=b"Z") + END, "device"),
    "path.tar": (lambda: with_pax_header(path="../a.png"), "leads out"),
    "nul.tar": (lambda: with_pax_header(path="a\0b.png"), "control characters"),
    "large.tar": (lambda: with_pax_header(size=str(1 << 62)), "too large"),
    "negative.tar": (lambda: with_pax_header(size="-1024"), "damaged"),
    "below.tar": (lambda: header(change=(124, b"\xff" * 12)) + END, "damaged"),
    "beyond.tar": (lambda: header(change=(124, b"\x80" + b"\xff" * 11)), "too large"),
    "hole.tar": (
        lambda: with_pax_header(GNU_sparse_map="0,1", GNU_sparse_size=str(1 << 40)),
        "too large",
    ),
    "sparse.tar.gz": (sparse_without_end, "headers too large"),
    "settings.tar": (many_global_headers, "headers too large|recursion|invalid header"),
    "headers.tar": (lambda: header(kind=tarfile.XHDTYPE) * 50_000 + END, "headers|recursion"),
    "zeros.tar.gz": (lambda: gzip.compress(TEN_GIGABYTES), "too large"),
    "zeros.tar.bz2": (lambda: bz2.compress(TEN_GIGABYTES), "too large"),
    "zeros.tar.xz": (lambda: lzma.compress(TEN_GIGABYTES), "too large"),
}


@pytest.mark.parametrize("name", ATTACKS)
def test_malicious_archive_is_refused(tmp_path, name):
    make, reason = ATTACKS[name]
    (tmp_path / name).write_bytes(make())
    with pytest.raises(InputError, match=reason), open_archive(tmp_path / name):
        pass


HARMLESS = {
    "dots.zip": (lambda: zipped("./a/./b.png"), "a/b.png"),
    "old.zip": (lambda: changed(zipped("a.png"), 46, b"\x84"), "ä.png"),
    "pax.tar": (lambda: with_pax_header(path="ä.png"), "ä.png"),
    "contiguous.tar": (lambda: header(kind=tarfile.CONTTYPE) + END, "a.png"),
    "bytes.tar": (lambda: header("a\udcff.png") + END, "a\udcff.png"),
}


@pytest.mark.parametrize("name", HARMLESS)
def test_unusual_but_harmless_archive_is_read(tmp_path, name):
    make, expected = HARMLESS[name]
    (tmp_path / name).write_bytes(make())
    with open_archive(tmp_path / name) as files:
        assert [file for file, _ in files] == [expected]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (changed(zipped("a.png"), 8, b"\1"), "encrypted"),
        (zipped("a.png").replace(b"a.png", b"/.png", 1), "differ"),
    ],
    ids=["encrypted", "two names"],
)
def test_unreadable_member_is_reported(tmp_path, content, reason):
    (tmp_path / "a.zip").write_bytes(content)
    with open_archive(tmp_path / "a.zip") as [(_, read)], pytest.raises(Exception, match=reason):
        read()


def test_control_characters_in_names_do_not_reach_the_terminal(refused, tmp_path):
    (tmp_path / "a\x1b[2J\nezdl: all is well.png").write_bytes(CONTENT)
    assert "a\\x1b[2J ezdl" in refused("ezdl", "images", "import", tmp_path, "../out")
