"""Pictures with all that is in them."""

import io
import struct
import zlib

import numpy as np
import pytest
import tifffile
from PIL import Image

from ezdl_cli.errors import InputError
from ezdl_cli.images import deep_png, grey
from ezdl_cli.images.deep_png import read_deep_png, write_deep_png
from ezdl_cli.images.grey import read_grey
from ezdl_cli.images.pictures import KINDS, Pixels, check_pixels_target, read_pixels, write_pixels

RNG = np.random.default_rng(0)
GREY, COLOUR = RNG.integers(0, 256, (9, 7)), RNG.integers(0, 256, (9, 7, 3))
ALPHA = RNG.integers(0, 256, (9, 7))


@pytest.mark.parametrize("values", [GREY, COLOUR], ids=["grey", "colour"])
@pytest.mark.parametrize("alpha", [None, ALPHA], ids=["opaque", "transparent"])
@pytest.mark.parametrize("dtype", [np.uint8, np.uint16])
@pytest.mark.parametrize("suffix", [".png", ".tif", ".webp", ".bmp", ".ppm"])
def test_what_can_be_written_is_read_again(tmp_path, values, alpha, dtype, suffix):
    factor = 257 if dtype == np.uint16 else 1
    pixels = Pixels(
        (values * factor).astype(dtype),
        None if alpha is None else (alpha * factor).astype(dtype),
    )
    path = tmp_path / f"p{suffix}"
    try:
        check_pixels_target(path, pixels)
    except InputError:
        assert suffix not in (".png", ".tif")
        return
    write_pixels(path, KINDS[suffix][0], pixels)
    again = read_pixels(path)
    expected = pixels.values
    if again.values.ndim > expected.ndim:  # some kinds have no grey
        expected = np.repeat(expected[..., np.newaxis], 3, axis=2)
    visible = slice(None) if alpha is None or suffix != ".webp" else pixels.alpha > 0
    assert np.array_equal(again.values[visible], expected[visible])
    assert (again.alpha is None) == (alpha is None)
    assert alpha is None or np.array_equal(again.alpha, pixels.alpha)


@pytest.mark.parametrize("kind", range(5))
def test_all_filters_of_png_are_undone(kind):
    pixels = RNG.integers(0, 65536, (6, 5, 3), dtype=np.uint16)
    raw = pixels.astype(">u2").reshape(6, -1).view(np.uint8).astype(int)
    step = 6
    rows = []
    for y, row in enumerate(raw):
        above = raw[y - 1] if y else np.zeros_like(row)
        left = np.concatenate([np.zeros(step, int), row[:-step]])
        corner = np.concatenate([np.zeros(step, int), above[:-step]])
        if kind == 4:
            guess = left + above - corner
            choice = np.stack([left, above, corner])
            predicted = np.take_along_axis(
                choice, np.abs(choice - guess).argmin(axis=0)[np.newaxis], axis=0
            )[0]
        else:
            predicted = [0 * row, left, above, (left + above) // 2][kind]
        rows.append(bytes([kind]) + ((row - predicted) % 256).astype(np.uint8).tobytes())
    header = struct.pack(">IIBBBBB", 5, 6, 16, 2, 0, 0, 0)
    parts = ((b"IHDR", header), (b"IDAT", zlib.compress(b"".join(rows))), (b"IEND", b""))
    content = b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
        for name, data in parts
    )
    colours, alpha, profile = read_deep_png(io.BytesIO(content))
    assert alpha is None and profile is None and np.array_equal(colours, pixels)


def test_damaged_deep_png_is_refused(tmp_path):
    path = tmp_path / "p.png"
    write_deep_png(path, RNG.integers(0, 65536, (20, 20, 3), dtype=np.uint16))
    content = path.read_bytes()
    for cut in (27, 40, len(content) // 2, len(content) - 20):
        path.write_bytes(content[:cut])
        with pytest.raises(InputError):
            read_pixels(path)
    path.write_bytes(content[:60] + bytes([content[60] ^ 1]) + content[61:])
    with pytest.raises(InputError, match="checksum"):
        read_pixels(path)


def test_modes_of_pillow_become_grey_or_colours(tmp_path):
    image = Image.fromarray(COLOUR.astype(np.uint8))
    for mode, ndim in (("1", 2), ("L", 2), ("P", 3), ("CMYK", 3), ("YCbCr", 3)):
        suffix = ".jpg" if mode == "YCbCr" else ".tif"
        path = tmp_path / f"{mode}{suffix}"
        image.convert(mode).save(path)
        assert read_pixels(path).values.ndim == ndim
    tifffile.imwrite(tmp_path / "f.tif", COLOUR.astype(np.float32), photometric="rgb")
    with pytest.raises(InputError):
        read_pixels(tmp_path / "f.tif")


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGB", "RGBA", "CMYK", "I;16"])
def test_pictures_are_the_same_whatever_is_read_at_once(tmp_path, monkeypatch, mode):
    image = Image.fromarray(COLOUR.astype(np.uint8))
    if mode == "I;16":
        image = Image.fromarray((GREY * 257).astype(np.uint16))
    image = image if image.mode == mode else image.convert(mode)
    path = tmp_path / ("p.tif" if mode == "CMYK" else "p.png")
    image.save(path)
    whole, whole_grey = read_pixels(path), read_grey(path)
    monkeypatch.setattr(grey, "PIXELS_AT_ONCE", 20)
    parts = read_pixels(path)
    assert whole.values.shape[:2] == GREY.shape
    assert np.array_equal(parts.values, whole.values)
    assert np.array_equal(parts.alpha, whole.alpha)
    assert np.array_equal(read_grey(path), whole_grey)


def test_large_deep_png_is_written_in_parts_and_read_again(tmp_path, monkeypatch):
    monkeypatch.setattr(deep_png, "BYTES_AT_ONCE", 100)
    colours, alpha = RNG.integers(0, 65536, (2, 40, 30, 3), dtype=np.uint16)
    write_deep_png(tmp_path / "p.png", colours, alpha[..., 0], b"profile")
    with open(tmp_path / "p.png", "rb") as stream:
        again = read_deep_png(stream)
    assert np.array_equal(again[0], colours) and np.array_equal(again[1], alpha[..., 0])
    assert again[2] == b"profile"
    with Image.open(tmp_path / "p.png") as image:
        assert np.array_equal(np.asarray(image)[..., :3], colours >> 8)
