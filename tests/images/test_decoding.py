"""Decoding of all formats, depths and encodings to the pixels that are in the file."""

import struct
import zlib

import numpy as np
import pytest
import tifffile
from PIL import Image

from ezdl_cli.errors import InputError
from ezdl_cli.images import pillow_decoding
from ezdl_cli.images.decoding import decode, read_pixels
from ezdl_cli.images.formats import FORMATS
from ezdl_cli.images.greyscale import read_grey
from ezdl_cli.images.png16 import write_png16

RNG = np.random.default_rng(0)
SAMPLES = RNG.integers(0, 1 << 16, (9, 11, 4), dtype=np.uint16)
COLOURS = (SAMPLES[..., :3] >> 8).astype(np.uint8)
# Passes of an interlaced PNG: first row and column, and steps.
ADAM7 = ((0, 0, 8, 8), (0, 4, 8, 8), (4, 0, 8, 4), (0, 2, 4, 4), (2, 0, 4, 2), (0, 1, 2, 2))
ADAM7 = (*ADAM7, (1, 0, 2, 1))


def png(samples, rows, interlaced=0, transparent=b""):
    """A PNG of 16 bits from its filtered rows of bytes."""
    height, width, n_samples = samples.shape
    kind = {2: 4, 3: 2, 4: 6}[n_samples]
    header = struct.pack(">IIBBBBB", width, height, 16, kind, 0, 0, interlaced)
    chunks = [(b"IHDR", header), (b"tRNS", transparent), (b"IDAT", zlib.compress(b"".join(rows)))]
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
        for name, data in (*chunks, (b"IEND", b""))
        if data or name == b"IEND"
    )


def raw_rows(samples):
    return [b"\0" + row.tobytes() for row in samples.astype(">u2")]


def check_samples(pixels, samples):
    n_colours = 3 if samples.shape[2] >= 3 else 1
    values = samples[..., :3] if n_colours == 3 else samples[..., 0]
    np.testing.assert_array_equal(pixels.values, values, strict=True)
    assert (pixels.alpha is None) == (samples.shape[2] == n_colours)
    assert pixels.alpha is None or np.array_equal(pixels.alpha, samples[..., -1])


@pytest.mark.parametrize("n_samples", [2, 3, 4])
def test_all_bits_of_16_bit_png_are_read(n_samples):
    samples = SAMPLES[..., :n_samples]
    check_samples(decode(png(samples, raw_rows(samples))), samples)


@pytest.mark.parametrize("n_samples", [2, 3, 4])
def test_interlaced_16_bit_png_is_read(n_samples):
    samples = SAMPLES[..., :n_samples]
    passes = [samples[y::down, x::right] for y, x, down, right in ADAM7]
    rows = [row for part in passes if part.size for row in raw_rows(part)]
    check_samples(decode(png(samples, rows, interlaced=1)), samples)


def test_transparent_colour_of_16_bit_png_has_no_opacity():
    samples = SAMPLES[..., :3]
    key = samples[4, 5].astype(">u2").tobytes()
    pixels = decode(png(samples, raw_rows(samples), transparent=key))
    assert pixels.alpha.dtype == np.uint16 and pixels.alpha[4, 5] == 0
    assert (pixels.alpha == 65535).sum() == pixels.alpha.size - 1


def lzw(content):
    """TIFF's LZW, without making use of the table: codes of nine bits, cleared before it grows."""
    parts = [content[first : first + 200] for first in range(0, len(content), 200)]
    codes = [code for part in parts for code in (256, *part)] + [257]
    bits = "".join(f"{code:09b}" for code in codes)
    return int(bits.ljust(-(-len(bits) // 8) * 8, "0"), 2).to_bytes(-(-len(bits) // 8), "big")


@pytest.mark.parametrize("order", "<>")
@pytest.mark.parametrize("n_samples", [3, 4])
def test_all_bits_of_16_bit_tiff_with_lzw_are_read(tmp_path, order, n_samples):
    samples = np.ascontiguousarray(SAMPLES[..., :n_samples])
    path = tmp_path / "p.tif"
    extra = ["unassalpha"] if n_samples == 4 else None
    tifffile.imwrite(path, samples, photometric="rgb", byteorder=order, extrasamples=extra)
    with tifffile.TiffFile(path) as file:
        page = file.pages[0]
        positions = [page.tags[tag].valueoffset for tag in (259, 273, 279)]
        sizes = [page.tags[tag].dtype.name for tag in (259, 273, 279)]
    content = bytearray(path.read_bytes())
    packed = lzw(samples.astype(f"{order}u2").tobytes())
    codes = {"SHORT": "H", "LONG": "I"}
    new = (5, len(content), len(packed))  # compression, offset and length of the only strip
    for position, size, value in zip(positions, sizes, new, strict=True):
        struct.pack_into(order + codes[size], content, position, value)
    check_samples(decode(bytes(content + packed)), samples)


@pytest.mark.parametrize("filter_type", range(5))
def test_all_filters_of_16_bit_png_are_undone(filter_type):
    samples = SAMPLES[..., :3]
    raw = samples.astype(">u2").reshape(len(samples), -1).view(np.uint8).astype(int)
    step = 6
    rows = []
    for y, row in enumerate(raw):
        above = raw[y - 1] if y else np.zeros_like(row)
        left = np.concatenate([np.zeros(step, int), row[:-step]])
        corner = np.concatenate([np.zeros(step, int), above[:-step]])
        paeth = np.stack([left, above, corner])
        nearest = np.abs(paeth - (left + above - corner)).argmin(axis=0)
        paeth = np.take_along_axis(paeth, nearest[np.newaxis], axis=0)[0]
        predicted = [0 * row, left, above, (left + above) // 2, paeth][filter_type]
        rows.append(bytes([filter_type]) + ((row - predicted) % 256).astype(np.uint8).tobytes())
    check_samples(decode(png(samples, rows)), samples)


def test_damaged_16_bit_png_is_refused(tmp_path):
    write_png16(tmp_path / "p.png", SAMPLES)
    content = (tmp_path / "p.png").read_bytes()
    for end in (27, 40, len(content) // 2, len(content) - 40):
        with pytest.raises(InputError):
            decode(content[:end])
    with pytest.raises(InputError):
        decode(content[:60] + bytes([content[60] ^ 1]) + content[61:])


def test_modes_of_pillow_become_grey_or_colours(tmp_path):
    image = Image.fromarray(COLOURS)
    for mode, ndim in (("1", 2), ("L", 2), ("P", 3), ("CMYK", 3), ("YCbCr", 3)):
        suffix = ".jpg" if mode == "YCbCr" else ".tif"
        path = tmp_path / f"{mode}{suffix}"
        image.convert(mode).save(path)
        assert decode(path).values.ndim == ndim
    tifffile.imwrite(tmp_path / "f.tif", COLOURS.astype(np.float32), photometric="rgb")
    with pytest.raises(InputError):
        decode(tmp_path / "f.tif")


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGB", "RGBA", "CMYK", "I;16"])
def test_pixels_do_not_depend_on_the_size_of_bands(tmp_path, monkeypatch, mode):
    image = Image.fromarray(COLOURS)
    if mode == "I;16":
        image = Image.fromarray(SAMPLES[..., 0])
    image = image if image.mode == mode else image.convert(mode)
    path = tmp_path / ("p.tif" if mode == "CMYK" else "p.png")
    image.save(path)
    expected = decode(path)
    monkeypatch.setattr(pillow_decoding, "CHUNK_PIXELS", 20)
    found = decode(path)
    assert expected.values.shape[:2] == SAMPLES.shape[:2]
    assert np.array_equal(found.values, expected.values)
    assert np.array_equal(found.alpha, expected.alpha)


def test_lossless_reading_refuses_what_decoding_reduces(tmp_path):
    tifffile.imwrite(tmp_path / "cmyk.tif", SAMPLES, photometric="separated")
    assert decode(tmp_path / "cmyk.tif").values.dtype == np.uint8
    with pytest.raises(InputError, match="more than 8 bits"):
        read_pixels(tmp_path / "cmyk.tif")
    tifffile.imwrite(tmp_path / "a.tif", SAMPLES, photometric="rgb", extrasamples=["assocalpha"])
    assert decode(tmp_path / "a.tif").premultiplied
    with pytest.raises(InputError, match="premultiplied"):
        read_pixels(tmp_path / "a.tif")


def test_formats_are_recognised_by_content_not_by_name(tmp_path):
    image = Image.fromarray(COLOURS)
    for each in FORMATS:
        image.save(tmp_path / "image", each.name)
        assert decode(tmp_path / "image").values.shape == COLOURS.shape
        assert (tmp_path / "image").read_bytes().startswith(each.signatures)


def test_16_bit_tiff_with_contradictory_tags_is_refused(tmp_path):
    path = tmp_path / "p.tif"
    tifffile.imwrite(path, SAMPLES[..., 0], photometric="minisblack")
    with tifffile.TiffFile(path) as file:
        offset = file.pages[0].tags["PhotometricInterpretation"].valueoffset
    content = bytearray(path.read_bytes())
    content[offset] = 2  # RGB, with one sample per pixel
    with pytest.raises(InputError):
        read_grey(bytes(content))
