"""Archives that were made to do harm are refused, by the limit that is named, or read correctly."""

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
from ezdl_cli.images.archives import MAX_DIRECTORY, MAX_MEMBERS, opened

CONTENT = b"as if it were a picture"
END = bytes(10240)


def zipped(*names):
    """A zip archive, to be changed."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name in names:
            archive.writestr(name, CONTENT)
    return bytearray(stream.getvalue())


def changed(content, place, new):
    """The zip archive with other bytes at a place of its directory's first entry."""
    start = content.index(b"PK\1\2") + place
    content[start : start + len(new)] = new
    return content


def overlapping(count, size):
    """A zip archive whose members all are the same bytes of the file: a bomb without nesting."""
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
    """A header of a tar archive; `change` is a place and the bytes that stand there."""
    info = tarfile.TarInfo(name)
    info.type, info.size = kind, size
    block = bytearray(info.tobuf(tarfile.GNU_FORMAT))
    if change:
        place, new = change
        block[place : place + len(new)] = new
        block[148:156] = b" " * 8
        block[148:156] = b"%06o\0 " % sum(block)
    return bytes(block)


def told_by_pax(**values):
    """A tar archive with a header that says otherwise than the usual one."""
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w", format=tarfile.PAX_FORMAT) as archive:
        info = tarfile.TarInfo("a.png")
        info.size = len(CONTENT)
        info.pax_headers = {name.replace("_", "."): value for name, value in values.items()}
        archive.addfile(info, io.BytesIO(CONTENT))
    return stream.getvalue()


def sparse_without_end():
    """A member whose map of holes goes on and on, each block of it saying that there is more."""
    more = bytearray(512)
    more[504] = 1
    start = header(kind=tarfile.GNUTYPE_SPARSE, change=(482, b"\1"))
    return gzip.compress(start + bytes(more) * 100_000, 1)


def many_settings():
    """Headers for all members that follow, each with other keys, which have to be kept."""
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
    "bomb.zip": (lambda: overlapping(3000, 1 << 20), "more than its size allows"),
    "many.zip": (lambda: overlapping(MAX_MEMBERS + 1, 0), f"{MAX_MEMBERS} members"),
    "directory.zip": (lambda: overlapping(MAX_DIRECTORY // 47 + 1, 0), "headers are too large"),
    "zip64.zip": (zip64_of_many_bytes, "more than its size allows"),
    "absolute.tar": (lambda: header("/a.png") + END, "leads out"),
    "newline.tar": (lambda: header("a\n.png") + END, "control characters"),
    "device.tar": (lambda: header(kind=tarfile.CHRTYPE) + END, "device"),
    "unknown.tar": (lambda: header(kind=b"Z") + END, "device"),
    "path.tar": (lambda: told_by_pax(path="../a.png"), "leads out"),
    "nul.tar": (lambda: told_by_pax(path="a\0b.png"), "control characters"),
    "large.tar": (lambda: told_by_pax(size=str(1 << 62)), "more than its size allows"),
    "negative.tar": (lambda: told_by_pax(size="-1024"), "damaged"),
    "below.tar": (lambda: header(change=(124, b"\xff" * 12)) + END, "damaged"),
    "beyond.tar": (lambda: header(change=(124, b"\x80" + b"\xff" * 11)), "more than its size"),
    "hole.tar": (lambda: told_by_pax(GNU_sparse_map="0,1", GNU_sparse_size=str(1 << 40)), "more"),
    "sparse.tar.gz": (sparse_without_end, "headers are too large"),
    "settings.tar": (many_settings, "headers are too large|recursion"),
    "headers.tar": (lambda: header(kind=tarfile.XHDTYPE) * 50_000 + END, "headers|recursion"),
    "zeros.tar.gz": (lambda: gzip.compress(TEN_GIGABYTES), "more than its size allows"),
    "zeros.tar.bz2": (lambda: bz2.compress(TEN_GIGABYTES), "more than its size allows"),
    "zeros.tar.xz": (lambda: lzma.compress(TEN_GIGABYTES), "more than its size allows"),
}


@pytest.mark.parametrize("name", ATTACKS)
def test_an_attack_is_refused(tmp_path, name):
    make, reason = ATTACKS[name]
    (tmp_path / name).write_bytes(make())
    with pytest.raises(InputError, match=reason), opened(tmp_path / name):
        pass


HARMLESS = {
    "dots.zip": (lambda: zipped("./a/./b.png"), "a/b.png"),
    "old.zip": (lambda: changed(zipped("a.png"), 46, b"\x84"), "ä.png"),
    "pax.tar": (lambda: told_by_pax(path="ä.png"), "ä.png"),
    "contiguous.tar": (lambda: header(kind=tarfile.CONTTYPE) + END, "a.png"),
    "bytes.tar": (lambda: header("a\udcff.png") + END, "a\udcff.png"),
}


@pytest.mark.parametrize("name", HARMLESS)
def test_what_is_only_unusual_is_read(tmp_path, name):
    make, expected = HARMLESS[name]
    (tmp_path / name).write_bytes(make())
    with opened(tmp_path / name) as files:
        assert [file for file, _ in files] == [expected]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (changed(zipped("a.png"), 8, b"\1"), "encrypted"),
        (zipped("a.png").replace(b"a.png", b"/.png", 1), "differ"),
    ],
    ids=["encrypted", "two names"],
)
def test_a_member_that_cannot_be_had_is_told(tmp_path, content, reason):
    (tmp_path / "a.zip").write_bytes(content)
    with opened(tmp_path / "a.zip") as [(_, read)], pytest.raises(Exception, match=reason):
        read()


def test_names_cannot_talk_to_the_terminal(refused, tmp_path):
    (tmp_path / "a\x1b[2J\nezdl: all is well.png").write_bytes(CONTENT)
    assert "a\\x1b[2J ezdl" in refused("ezdl", "images", "import", tmp_path, "../out")
