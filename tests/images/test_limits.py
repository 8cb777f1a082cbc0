"""Pictures that are small files and would take for ever, or all memory, are refused."""

import io
import re
import struct
import tracemalloc
import zlib

import numpy as np
import pytest
from PIL import Image

from ezdl_cli.errors import InputError
from ezdl_cli.images import limits
from ezdl_cli.images.grey import read_grey
from ezdl_cli.images.pictures import read_pixels

PIXELS = np.random.default_rng(0).integers(0, 256, (24, 32), dtype=np.uint8)
MEMORY = 200 << 20


def saved(kind, pixels=PIXELS, **options):
    stream = io.BytesIO()
    Image.fromarray(pixels).save(stream, kind, **options)
    return stream.getvalue()


def jpeg(n_scans, between=b""):
    """A progressive JPEG whose last scan is there so many times in all."""
    content = saved("JPEG", progressive=True)
    scans = [match.start() for match in re.finditer(rb"\xff\xda", content)]
    last = content[scans[-1] : -2]
    return content[:-2] + (between + last) * (n_scans - len(scans)) + content[-2:]


def tiff(entries, content=b"", order="<", mark=42):
    """A TIFF with tags: type, number of values and value, or the place after the header."""
    start = struct.pack(f"{order}2sHI", b"II" if order == "<" else b"MM", mark, 8)
    place = len(start) + 2 + 12 * len(entries) + 4
    folder = b"".join(
        struct.pack(f"{order}HHII", tag, kind, count, place if value is None else value)
        for tag, (kind, count, value) in sorted(entries.items())
    )
    return start + struct.pack(f"{order}H", len(entries)) + folder + bytes(4) + content


def page(bits=8, width=32, height=24, packing=1, **more):
    """Tags of a grey picture."""
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
    """Tiles of many pixels beside a picture of few, all of them the same bytes."""
    content, number, side = zeros(1 << 22), 256, 1 << 10
    place = 8 + 2 + 12 * 10 + 4
    places = {"t324": (4, number, place + len(content)), "t325": (4, number, None)}
    size = {"t322": (4, 1, side), "t323": (4, 1, side)}
    entries = page(bits, 1, number * side, 8, **size, **places)
    entries[325] = (4, number, place + len(content) + 4 * number)
    tables = struct.pack(f"<{number}I", *[place] * number)
    return tiff(entries, content + tables + struct.pack("<I", len(content)) * number)


def folder_below(n_values, **more):
    """EXIF data that lead to a further folder with so many fractions."""
    below = struct.pack(">HHHII", 1, 33434, 5, n_values, 8) + bytes(4)
    entries = page() | {274: (3, 1, 6 << 16), 34665: (4, 1, None)}
    return tiff(entries | {int(tag[1:]): entry for tag, entry in more.items()}, below, ">")


def exif(n_entries):
    """EXIF data of which every entry is the same megabyte."""
    entries = {100 + number: (7, 1 << 20, None) for number in range(n_entries)}
    return tiff(entries, bytes(1 << 20), ">")


COMMENTS = b"#\n" * 100_000
ATTACKS = {
    "scans": (lambda: jpeg(limits.MAX_SCANS + 1), "scans"),
    "scans and fillers": (lambda: jpeg(200, b"\xff" * 9), "scans"),
    "scans far apart": (lambda: jpeg(200, b"\xff\xfe\xff\xff" + bytes(65533)), "scans"),
    "scans behind what is no segment": (lambda: jpeg(200, b"\xff\x02\xff\xff"), "scans"),
    "segments": (lambda: b"\xff\xd8" + b"\xff\xfe\0\2" * 100_000 + jpeg(5)[2:], "segments"),
    "comments, plain bits": (lambda: b"P1 32 24\n" + COMMENTS + b"1 " * 768, "comments"),
    "comments, plain grey": (lambda: b"P2 32 24 255\n" + COMMENTS + b"1 " * 768, "comments"),
    "comments, plain colours": (lambda: b"P3 32 24 255\n" + COMMENTS + b"1 " * 2304, "comments"),
    "a comment for ever": (lambda: b"P5\n#" + bytes(10**6) + b"\n9 9 255\n" + bytes(81), "known"),
    "strips": (lambda: strips(1 << 26), "header"),
    "strips, big-endian": (lambda: strips(1 << 26, order=">"), "header"),
    "strips, odd mark": (lambda: strips(1 << 26, mark=0x2A00), "header"),
    "layers": (lambda: tiff(page(t270=(7, 1 << 29, 8))), "header"),
    "layers, each the same": (
        lambda: tiff(page() | {40_000 + number: (7, 1 << 24, 8) for number in range(100)}),
        "header",
    ),
    "entries of nothing": (
        lambda: b"II" + struct.pack("<HHHQQ", 43, 8, 0, 16, 300_000) + bytes(20 * 300_000),
        "header",
    ),
    "fractions below": (lambda: saved("PNG", exif=folder_below(1 << 22)), "header"),
    "fractions below, beside a folder that is cut off": (
        lambda: saved("PNG", exif=folder_below(1 << 22, t34853=(4, 1, 1 << 30))),
        "header",
    ),
    "big or not": (lambda: strips(1 << 26, order=">", mark=43), "BigTIFF"),
    "a comment for ever behind the height": (
        lambda: b"P5 9 9 #" + bytes(10**6) + b"\n255\n" + bytes(81),
        "known",
    ),
    "a large tile": (large_tile, "tiles"),
    "shared tiles": (lambda: shared_tiles(8), "tiles"),
    "shared tiles, 16 bits": (lambda: shared_tiles(16), "tiles"),
    "many samples": (many_samples, "bytes"),
    "wide": (lambda: b"P5 %d 1 255\n" % (1 << 20) + bytes(1 << 20), "a side has"),
    "EXIF in PNG": (lambda: saved("PNG", exif=exif(1000)), "header"),
    "EXIF in WebP": (lambda: saved("WEBP", exif=exif(1000)), "header"),
}


@pytest.mark.parametrize("read", [read_grey, read_pixels])
@pytest.mark.parametrize("attack", ATTACKS)
def test_a_file_that_was_made_to_do_harm_is_refused_in_little_memory(tmp_path, attack, read):
    make, reason = ATTACKS[attack]
    (tmp_path / "p").write_bytes(make())
    tracemalloc.start()
    with pytest.raises(InputError, match=reason):
        read(tmp_path / "p")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < MEMORY


turned = Image.Exif()
turned[274] = 6
HARMLESS = {
    "as many scans as allowed": jpeg(limits.MAX_SCANS),
    "a video behind the picture": saved("JPEG") + b"\xff\xda\0\2" * 1000,
    "scans in a comment": b"\xff\xd8\xff\xfe\4\2" + b"\xff\xda" * 512 + saved("JPEG")[2:],
    "EXIF in JPEG": saved("JPEG", exif=turned),
    "EXIF in PNG": saved("PNG", exif=turned),
    "EXIF that is cut off": saved("PNG", exif=b"II*\0\x08\0\0\0\x05"),
    "a comment in the header": b"P5 # ours\n32 24 255\n" + PIXELS.tobytes(),
    "some comments": b"P2 32 24 255\n" + b"# a row\n9 " * 768,
    "layers": tiff(
        page(t270=(7, 1 << 20, None), t273=(4, 1, 200), t279=(4, 1, 768), t278=(4, 1, 24)),
        bytes(1 << 20),
    ),
}


@pytest.mark.filterwarnings("ignore:Corrupt EXIF")
@pytest.mark.parametrize("name", HARMLESS)
def test_what_is_only_unusual_is_read(tmp_path, name):
    (tmp_path / "p").write_bytes(HARMLESS[name])
    grey, values = read_grey(tmp_path / "p"), read_pixels(tmp_path / "p").values
    assert sorted(grey.shape) == sorted(values.shape) == [24, 32]
    np.testing.assert_array_equal(grey, values)
