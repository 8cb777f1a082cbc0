"""Grey values of files in every format, against an independent computation of the luminance."""

import io
import zlib

import numpy as np
import pytest
import tifffile
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from PIL import Image, ImageOps

from ezdl_cli.errors import InputError
from ezdl_cli.images.greyscale import read_grey, to_grey
from ezdl_cli.images.orientation import apply_orientation
from ezdl_cli.images.pixels import Pixels


def expected(rgb, white=255):
    """Y = 0.2126 R + 0.7152 G + 0.0722 B in integers, rounded once, halves up."""
    r, g, b = (rgb[..., i].astype(np.int64) for i in range(3))
    total = 2126 * r + 7152 * g + 722 * b
    unit = 10_000 * white // 255
    return ((2 * total + unit) // (2 * unit)).astype(np.uint8)


def saved(pixels, kind, **options):
    stream = io.BytesIO()
    Image.fromarray(pixels).save(stream, kind, **options)
    return stream.getvalue()


def as_tiff(pixels, **options):
    stream = io.BytesIO()
    tifffile.imwrite(stream, pixels, **options)
    return stream.getvalue()


@pytest.fixture
def rgb():
    return np.random.default_rng(0).integers(0, 256, (37, 53, 3), dtype=np.uint8)


@given(arrays.arrays(np.uint8, (5, 7, 3)))
def test_weights_are_exact(pixels):
    np.testing.assert_array_equal(to_grey(Pixels(pixels)), expected(pixels))


@given(arrays.arrays(np.uint16, (5, 7, 3)))
def test_weights_are_exact_for_16_bits(pixels):
    np.testing.assert_array_equal(to_grey(Pixels(pixels)), expected(pixels, 65535))


@given(st.integers(0, 255))
def test_grey_of_a_grey_colour_is_its_value(value):
    assert (to_grey(Pixels(np.full((2, 2, 3), value, np.uint8))) == value).all()
    assert (to_grey(Pixels(np.full((2, 2), 257 * value, np.uint16))) == value).all()


@pytest.mark.parametrize("kind", ["PNG", "BMP", "TIFF", "PPM"])
def test_lossless_formats_give_exact_luminance(rgb, kind):
    np.testing.assert_array_equal(read_grey(saved(rgb, kind)), expected(rgb))


def test_lossless_webp_gives_exact_luminance(rgb):
    np.testing.assert_array_equal(read_grey(saved(rgb, "WEBP", lossless=True)), expected(rgb))


@pytest.mark.parametrize("kind", ["JPEG", "WEBP"])
def test_lossy_formats_give_the_luminance_of_what_pillow_decodes(rgb, kind):
    content = saved(rgb, kind)
    decoded = np.asarray(Image.open(io.BytesIO(content)).convert("RGB"))
    np.testing.assert_array_equal(read_grey(content), expected(decoded))


@pytest.mark.parametrize("compression", [None, "tiff_lzw", "tiff_adobe_deflate", "packbits"])
def test_compressed_tiff_gives_exact_luminance(rgb, compression):
    content = saved(rgb, "TIFF", compression=compression)
    np.testing.assert_array_equal(read_grey(content), expected(rgb))


@pytest.mark.parametrize("options", [{}, {"byteorder": ">"}, {"planarconfig": "separate"}])
@pytest.mark.parametrize("compression", [None, "zlib"])
def test_all_bits_of_16_bit_tiff_are_used(options, compression):
    deep = np.random.default_rng(1).integers(0, 65536, (31, 20, 3), dtype=np.uint16)
    stored = np.moveaxis(deep, -1, 0) if "planarconfig" in options else deep
    content = as_tiff(stored, photometric="rgb", compression=compression, **options)
    np.testing.assert_array_equal(read_grey(content), expected(deep, 65535))


@pytest.mark.parametrize("kind", ["PNG", "TIFF"])
def test_16_bit_grey_is_rounded_to_8(kind):
    deep = np.random.default_rng(2).integers(0, 65536, (31, 20), dtype=np.uint16)
    np.testing.assert_array_equal(read_grey(saved(deep, kind)), np.rint(deep / 257))


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16])
def test_tiff_with_white_as_zero_is_inverted(dtype):
    pixels = np.random.default_rng(3).integers(0, np.iinfo(dtype).max, (9, 8)).astype(dtype)
    content = as_tiff(pixels, photometric="miniswhite")
    scale = np.iinfo(dtype).max // 255
    np.testing.assert_array_equal(read_grey(content), np.rint(255 - pixels / scale))


def test_palette_images_give_the_luminance_of_their_colours(rgb):
    image = Image.fromarray(rgb).quantize(17)
    stream = io.BytesIO()
    image.save(stream, "PNG")
    np.testing.assert_array_equal(
        read_grey(stream.getvalue()), expected(np.asarray(image.convert("RGB")))
    )


def test_bilevel_images_are_black_and_white(rgb):
    stream = io.BytesIO()
    Image.fromarray(rgb).convert("1").save(stream, "PNG")
    assert set(np.unique(read_grey(stream.getvalue()))) == {0, 255}


def test_transparent_images_are_laid_over_white(rgb):
    alpha = np.full((*rgb.shape[:2], 1), 255, np.uint8)
    content = saved(np.concatenate([rgb, alpha], axis=2), "PNG")
    np.testing.assert_array_equal(read_grey(content), expected(rgb))
    clear = saved(np.concatenate([rgb, 0 * alpha], axis=2), "PNG")
    assert (read_grey(clear) == 255).all()
    half = saved(np.concatenate([0 * rgb, alpha // 2], axis=2), "WEBP", lossless=True, exact=True)
    np.testing.assert_array_equal(read_grey(half), 128)


def test_cmyk_is_converted_to_rgb_first(rgb):
    image = Image.fromarray(rgb).convert("CMYK")
    stream = io.BytesIO()
    image.save(stream, "TIFF")
    np.testing.assert_array_equal(read_grey(stream.getvalue()), expected(rgb))


@pytest.mark.parametrize("orientation", range(1, 9))
@pytest.mark.parametrize("kind", ["JPEG", "PNG", "TIFF"])
def test_exif_orientation_is_applied(rgb, orientation, kind):
    exif = Image.Exif()
    exif[0x0112] = orientation
    stream = io.BytesIO()
    Image.fromarray(rgb).save(stream, kind, exif=exif)
    with Image.open(io.BytesIO(stream.getvalue())) as image:
        turned = np.asarray(ImageOps.exif_transpose(image))
    assert turned.shape[:2] == ((53, 37) if orientation >= 5 else (37, 53))
    np.testing.assert_array_equal(read_grey(stream.getvalue()), expected(turned))


@pytest.mark.parametrize("orientation", range(1, 9))
def test_arrays_are_oriented_as_pillow_orients_images(orientation):
    pixels = np.random.default_rng(4).integers(0, 256, (4, 6), dtype=np.uint8)
    image = Image.fromarray(pixels)
    image.getexif()[0x0112] = orientation
    np.testing.assert_array_equal(
        apply_orientation(pixels, orientation), np.asarray(ImageOps.exif_transpose(image))
    )


def test_exif_orientation_is_applied_to_16_bit_tiff():
    deep = np.random.default_rng(5).integers(0, 65536, (4, 6, 3), dtype=np.uint16)
    content = as_tiff(deep, photometric="rgb", extratags=[(274, "H", 1, 6, True)])
    np.testing.assert_array_equal(read_grey(content), np.rot90(expected(deep, 65535), -1))


@pytest.mark.parametrize("kind", [0, 1, 2])
def test_opacity_of_16_bit_tiff_is_straight_premultiplied_or_absent(kind):
    rng = np.random.default_rng(8)
    alpha = rng.integers(0, 65536, (9, 7, 1), dtype=np.uint16)
    deep = (rng.random((9, 7, 3)) * alpha).astype(np.uint16)
    both = np.concatenate([deep, alpha], axis=2)
    content = as_tiff(both, photometric="rgb", extrasamples=[kind])
    opaque = alpha[..., 0] / 65535
    weighted = deep @ np.array([0.2126, 0.7152, 0.0722]) / 257
    over_white = {0: weighted, 1: weighted, 2: opaque * weighted}[kind]
    over_white = over_white + (255 * (1 - opaque) if kind else 0)
    np.testing.assert_allclose(read_grey(content), over_white, atol=0.5 + 1e-9)


def test_16_bit_tiff_that_pillow_does_not_support_is_read():
    deep = np.random.default_rng(9).integers(0, 65536, (9, 7), dtype=np.uint16)
    content = as_tiff(deep, photometric="minisblack", bigtiff=True, byteorder=">")
    np.testing.assert_array_equal(read_grey(content), np.rint(deep / 257))


def test_16_bit_tiff_does_not_decompress_to_more_than_the_image():
    deep = np.zeros((16, 16, 3), np.uint16)
    content = as_tiff(deep, photometric="rgb", compression="zlib")
    with tifffile.TiffFile(io.BytesIO(content)) as file:
        start, count = file.pages[0].dataoffsets[0], file.pages[0].databytecounts[0]
        tag = file.pages[0].tags[279].valueoffset
    bomb = zlib.compress(bytes(1 << 26), 9)
    content = bytearray(content[:start] + bomb)
    assert int.from_bytes(content[tag : tag + 4], "little") == count
    content[tag : tag + 4] = len(bomb).to_bytes(4, "little")
    with pytest.raises(InputError, match="bomb"):
        read_grey(bytes(content))


def damaged():
    rgb = np.random.default_rng(6).integers(0, 256, (64, 48, 3), dtype=np.uint8)
    complete = {kind: saved(rgb, kind) for kind in ("TIFF", "JPEG", "PNG", "WEBP", "BMP")}
    complete["16-bit TIFF"] = as_tiff(rgb.astype(np.uint16) * 257, photometric="rgb")
    cut = {f"half a {kind}": content[: len(content) // 2] for kind, content in complete.items()}
    fractions = saved(rgb[..., 0].astype(np.float32), "TIFF")
    return cut | {"text": b"a line of text\n", "nothing": b"", "fractions": fractions}


@pytest.mark.parametrize("name", damaged())
def test_truncated_and_unsupported_files_are_refused(name):
    with pytest.raises(InputError):
        read_grey(damaged()[name])


def test_huge_images_are_refused_before_they_are_decoded():
    header = bytearray(saved(np.zeros((4, 4), np.uint8), "PNG"))
    for width, height in ((40_000, 40_000), (12_000, 12_000), (2**31 - 1, 2**31 - 1)):
        header[16:24] = np.array([width, height], ">u4").tobytes()
        header[29:33] = zlib.crc32(header[12:29]).to_bytes(4, "big")
        with pytest.raises(InputError, match="limit"):
            read_grey(bytes(header))


@given(st.data())
def test_mutated_files_are_refused_or_read(data):
    """A damaged file gives an array of the right form, or InputError."""
    content = bytearray(MUTATED[data.draw(st.sampled_from(sorted(MUTATED)))])
    for _ in range(data.draw(st.integers(1, 8))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    try:
        pixels = read_grey(bytes(content))
    except InputError:
        return
    assert pixels.dtype == np.uint8 and pixels.ndim == 2 and pixels.flags.c_contiguous


_SMALL = np.random.default_rng(7).integers(0, 256, (12, 10, 3), dtype=np.uint8)
MUTATED = {kind: saved(_SMALL, kind) for kind in ("TIFF", "JPEG", "PNG", "WEBP", "BMP")}
MUTATED["16-bit TIFF"] = as_tiff(_SMALL.astype(np.uint16) * 257, photometric="rgb")
