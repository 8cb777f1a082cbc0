"""Small files that would take unbounded time or memory to decode are refused."""

import io
import re
import struct
import tracemalloc
import zlib

import numpy as np
import pytest
from PIL import Image

from ezdl_cli.errors import InputError
from ezdl_cli.images.decoding import read_pixels
from ezdl_cli.images.greyscale import read_grey
from ezdl_cli.images.guards.jpeg_scans import MAX_SCANS
from ezdl_cli.images.metadata import read_metadata
from ezdl_cli.images.pixels import Container

PIXELS = np.random.default_rng(0).integers(0, 256, (24, 32), dtype=np.uint8)
MEMORY = 200 << 20


def saved(kind, pixels=PIXELS, **options):
    stream = io.BytesIO()
    Image.fromarray(pixels).save(stream, kind, **options)
    return stream.getvalue()


def jpeg(n_scans, between=b""):
    """A progressive JPEG whose last scan is there repeated until there are `n_scans`."""
    content = saved("JPEG", progressive=True)
    scans = [match.start() for match in re.finditer(rb"\xff\xda", content)]
    last = content[scans[-1] : -2]
    return content[:-2] + (between + last) * (n_scans - len(scans)) + content[-2:]


def tiff(entries, content=b"", order="<", mark=42):
    """A TIFF with tags (type, number of values, value); None is the offset of `content`."""
    start = struct.pack(f"{order}2sHI", b"II" if order == "<" else b"MM", mark, 8)
    offset = len(start) + 2 + 12 * len(entries) + 4
    folder = b"".join(
        struct.pack(f"{order}HHII", tag, kind, count, offset if value is None else value)
        for tag, (kind, count, value) in sorted(entries.items())
    )
    return start + struct.pack(f"{order}H", len(entries)) + folder + bytes(4) + content


def page(bits=8, width=32, height=24, packing=1, **more):
    """Tags of a grey image."""
    values = {256: width, 257: height, 258: bits, 259: packing, 262: 1, 277: 1}
    entries = {tag: (4, 1, value) for tag, value in values.items()}
    return entries | {int(tag[1:]): entry for tag, entry in more.items()}


def zeros(size):
    packer = zlib.compressobj(9)
    parts = [packer.compress(bytes(1 << 20)) for _ in range(size >> 20)]
    return b"".join([*parts, packer.flush()])


def strips(number, **kind):
    return tiff(page(t273=(4, number, 8), t279=(4, number, 8), t278=(4, 1, 1)), **kind)


def large_tile():
    content = zeros(1 << 28)
    segment = {"t324": (4, 1, None), "t325": (4, 1, len(content))}
    return tiff(page(16, packing=8, t322=(4, 1, 1 << 14), t323=(4, 1, 1 << 13), **segment), content)


def many_samples():
    content = zeros(1 << 28)
    segment = {"t273": (4, 1, None), "t279": (4, 1, len(content)), "t278": (4, 1, 1 << 12)}
    return tiff(page(16, 1 << 12, 1 << 12, 8, t277=(3, 1, 60), **segment), content)


def shared_tiles(bits):
    """Many large tiles that share the same bytes, in an image of few pixels."""
    content, number, side = zeros(1 << 22), 256, 1 << 10
    offset = 8 + 2 + 12 * 10 + 4
    segments = {"t324": (4, number, offset + len(content)), "t325": (4, number, None)}
    size = {"t322": (4, 1, side), "t323": (4, 1, side)}
    entries = page(bits, 1, number * side, 8, **size, **segments)
    entries[325] = (4, number, offset + len(content) + 4 * number)
    tables = struct.pack(f"<{number}I", *[offset] * number)
    return tiff(entries, content + tables + struct.pack("<I", len(content)) * number)


def subdirectory(n_values, **more):
    """EXIF data with a subdirectory that declares many fractions."""
    below = struct.pack(">HHHII", 1, 33434, 5, n_values, 8) + bytes(4)
    entries = page() | {274: (3, 1, 6 << 16), 34665: (4, 1, None)}
    return tiff(entries | {int(tag[1:]): entry for tag, entry in more.items()}, below, ">")


def exif(n_entries):
    """EXIF data whose entries all refer to the same megabyte."""
    entries = {100 + number: (7, 1 << 20, None) for number in range(n_entries)}
    return tiff(entries, bytes(1 << 20), ">")


def shared_values(n_values, kind, fill=0):
    """EXIF data with a subdirectory whose values are the same megabyte; `fill` follows a SHORT."""
    start = len(tiff(page() | {34665: (kind, 1, 0)}))
    values = start + 2 + 12 * n_values + 4
    entries = [struct.pack(">HHII", 100 + n, 7, 1 << 20, values) for n in range(n_values)]
    below = struct.pack(">H", n_values) + b"".join(entries) + bytes(4) + bytes(1 << 20)
    pointer = start if kind == 4 else start << 16 | fill
    return tiff(page() | {34665: (kind, 1, pointer)}, below, ">")


COMMENTS = b"#\n" * 100_000
ATTACKS = {
    "scans": (lambda: jpeg(MAX_SCANS + 1), "scans"),
    "scans and fillers": (lambda: jpeg(200, b"\xff" * 9), "scans"),
    "scans far apart": (lambda: jpeg(200, b"\xff\xfe\xff\xff" + bytes(65533)), "scans"),
    "scans after bytes that are not a segment": (lambda: jpeg(200, b"\xff\x02\xff\xff"), "scans"),
    "segments": (lambda: b"\xff\xd8" + b"\xff\xfe\0\2" * 100_000 + jpeg(5)[2:], "segments"),
    "endless comment": (lambda: b"P5\n#" + bytes(10**6) + b"\n9 9 255\n" + bytes(81), "header"),
    "strips": (lambda: strips(1 << 26), "header"),
    "strips, big-endian": (lambda: strips(1 << 26, order=">"), "header"),
    "strips, swapped version": (lambda: strips(1 << 26, mark=0x2A00), "header"),
    "large tag": (lambda: tiff(page(t270=(7, 1 << 29, 8))), "header"),
    "many tags with the same data": (
        lambda: tiff(page() | {40_000 + number: (7, 1 << 24, 8) for number in range(100)}),
        "header",
    ),
    "many empty entries": (
        lambda: b"II" + struct.pack("<HHHQQ", 43, 8, 0, 16, 300_000) + bytes(20 * 300_000),
        "header",
    ),
    "ambiguous BigTIFF": (lambda: strips(1 << 26, order=">", mark=43), "BigTIFF"),
    "endless comment after the height": (
        lambda: b"P5 9 9 #" + bytes(10**6) + b"\n255\n" + bytes(81),
        "header",
    ),
    "large tile": (large_tile, "tiles"),
    "shared tiles": (lambda: shared_tiles(8), "tiles"),
    "shared tiles, 16 bits": (lambda: shared_tiles(16), "tiles"),
    "many samples": (many_samples, "bytes"),
    "wide": (lambda: b"P5 %d 1 255\n" % (1 << 20) + bytes(1 << 20), "per side"),
}


@pytest.mark.parametrize("read", [read_grey, read_pixels])
@pytest.mark.parametrize("attack", ATTACKS)
def test_attack_is_refused_in_little_memory(tmp_path, attack, read):
    make, reason = ATTACKS[attack]
    (tmp_path / "p").write_bytes(make())
    tracemalloc.start()
    with pytest.raises(InputError, match=reason):
        read(tmp_path / "p")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < MEMORY


EXIF_ATTACKS = {
    "subdirectory": lambda: saved("PNG", exif=subdirectory(1 << 22)),
    "subdirectory next to a truncated one": lambda: saved(
        "PNG", exif=subdirectory(1 << 22, t34853=(4, 1, 1 << 30))
    ),
    "PNG": lambda: saved("PNG", exif=exif(1000)),
    "WebP": lambda: saved("WEBP", exif=exif(1000), lossless=True),
    "shared values": lambda: saved("PNG", exif=shared_values(240, 4)),
    "pointer in two bytes": lambda: saved("PNG", exif=shared_values(600, 3, fill=0x7FFF)),
    "WebP, many values": lambda: saved("WEBP", exif=subdirectory(1 << 22), lossless=True),
}


def first_channel(path):
    values = read_pixels(path).values
    return values if values.ndim == 2 else values[..., 0]


@pytest.mark.parametrize("read", [read_grey, first_channel])
@pytest.mark.parametrize("attack", EXIF_ATTACKS)
def test_exif_data_that_attack_are_left_out_in_little_memory(tmp_path, attack, read):
    (tmp_path / "p").write_bytes(EXIF_ATTACKS[attack]())
    tracemalloc.start()
    values = read(tmp_path / "p")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < MEMORY
    np.testing.assert_array_equal(values, PIXELS)
    (note,) = read_pixels(tmp_path / "p").metadata.notes
    assert note.startswith("EXIF data were left out (larger than")


@pytest.mark.parametrize("different", [False, True])
def test_pages_with_many_large_tags_are_counted_in_little_work(different):
    """Only values within the entries matter, and only the first entry of a tag."""
    first = tiff({}) + bytes(1 << 20)
    n_entries, n_pages = (2, 100) if different else (1000, 20)
    content, size = first[:4] + struct.pack("<I", len(first)) + first[8:], 6 + 12 * n_entries
    for number in range(1, n_pages + 1):
        following = len(first) + number * size if number < n_pages else 0
        tags = (254, 255) if different else (254,) * n_entries
        entries = b"".join(struct.pack("<HHII", tag, 7, 1 << 20, 8) for tag in tags)
        content += struct.pack("<H", n_entries) + entries + struct.pack("<I", following)
    stream = CountedStream(content)
    with pytest.raises(InputError, match=f"TIFF of {n_pages}"):
        read_metadata(stream, "TIFF", Container())
    assert stream.n_read < 1 << 20


class CountedStream(io.BytesIO):
    """Counts the bytes that are read."""

    n_read = 0

    def read(self, size=-1):
        content = super().read(size)
        self.n_read += len(content)
        return content


turned = Image.Exif()
turned[274] = 6
HARMLESS = {
    "as many scans as allowed": jpeg(MAX_SCANS),
    "video after the image": saved("JPEG") + b"\xff\xda\0\2" * 1000,
    "scans in a comment": b"\xff\xd8\xff\xfe\4\2" + b"\xff\xda" * 512 + saved("JPEG")[2:],
    "EXIF in JPEG": saved("JPEG", exif=turned),
    "EXIF in PNG": saved("PNG", exif=turned),
    "truncated EXIF": saved("PNG", exif=b"II*\0\x08\0\0\0\x05"),
    "comment in the header": b"P5 # ours\n32 24 255\n" + PIXELS.tobytes(),
    "many comments": b"P2 32 24 255\n" + COMMENTS + b"# a row\n9 " * 768,
    "many comments among bits": b"P1 32 24\n" + COMMENTS + b"1 " * 768,
    "large tag": tiff(
        page(t270=(7, 1 << 20, None), t273=(4, 1, 200), t279=(4, 1, 768), t278=(4, 1, 24)),
        bytes(1 << 20),
    ),
}


@pytest.mark.filterwarnings("ignore:Corrupt EXIF")
@pytest.mark.parametrize("name", HARMLESS)
def test_unusual_but_harmless_file_is_read(tmp_path, name):
    (tmp_path / "p").write_bytes(HARMLESS[name])
    grey, values = read_grey(tmp_path / "p"), read_pixels(tmp_path / "p").values
    assert sorted(grey.shape) == sorted(values.shape) == [24, 32]
    np.testing.assert_array_equal(grey, values)
