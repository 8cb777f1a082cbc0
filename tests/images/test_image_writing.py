"""Images that are written can be read again, by this package and by others."""

import numpy as np
import pytest
from PIL import Image, ImageCms

from ezdl_cli.errors import InputError
from ezdl_cli.images import png16
from ezdl_cli.images.decoding import read_pixels
from ezdl_cli.images.formats import BY_SUFFIX
from ezdl_cli.images.image_writing import format_for, write_pixels
from ezdl_cli.images.pixels import Pixels
from ezdl_cli.images.png16 import write_png16

RNG = np.random.default_rng(0)
GREY, COLOUR, ALPHA = (RNG.integers(0, 256, shape) for shape in ((9, 7), (9, 7, 3), (9, 7)))
PROFILE = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
GREY_PROFILE = PROFILE[:16] + b"GRAY" + PROFILE[20:]
SIGNATURES = {"PNG": b"\x89PNG", "TIFF": b"II*\0"}


def random16(*shape):
    return np.random.default_rng(1).integers(0, 1 << 16, shape, dtype=np.uint16)


@pytest.mark.parametrize("values", [GREY, COLOUR], ids=["grey", "colour"])
@pytest.mark.parametrize("alpha", [None, ALPHA], ids=["opaque", "transparent"])
@pytest.mark.parametrize("dtype", [np.uint8, np.uint16])
@pytest.mark.parametrize("suffix", [".png", ".tif", ".webp", ".bmp", ".ppm"])
def test_what_a_format_can_hold_is_read_back(tmp_path, values, alpha, dtype, suffix):
    factor = 257 if dtype == np.uint16 else 1
    alpha = None if alpha is None else (alpha * factor).astype(dtype)
    pixels = Pixels((values * factor).astype(dtype), alpha)
    path = tmp_path / f"p{suffix}"
    try:
        file_format = format_for(path, pixels)
    except InputError:
        assert suffix not in (".png", ".tif")
        return
    write_pixels(path, file_format, pixels)
    again = read_pixels(path)
    expected = pixels.values
    if again.values.ndim > expected.ndim:  # some formats have no grey
        expected = np.repeat(expected[..., np.newaxis], 3, axis=2)
    visible = slice(None) if alpha is None or suffix != ".webp" else alpha > 0
    np.testing.assert_array_equal(again.values[visible], expected[visible], strict=True)
    assert (again.alpha is None) == (alpha is None)
    assert alpha is None or np.array_equal(again.alpha, alpha)


@pytest.mark.parametrize("suffix", [".png", ".tif"])
@pytest.mark.parametrize("shape", [(9, 11), (9, 11, 3)])
@pytest.mark.parametrize("transparent", [False, True])
def test_16_bits_and_profile_are_read_back(tmp_path, suffix, shape, transparent):
    alpha = random16(*shape[:2]) if transparent else None
    file_format = BY_SUFFIX[suffix]
    profile = PROFILE if len(shape) == 3 else GREY_PROFILE
    write_pixels(tmp_path / "p", file_format, Pixels(random16(*shape), alpha, profile))
    again = read_pixels(tmp_path / "p")
    np.testing.assert_array_equal(again.values, random16(*shape), strict=True)
    assert (again.alpha is None) == (alpha is None)
    assert alpha is None or np.array_equal(again.alpha, alpha)
    assert again.profile == profile
    assert (tmp_path / "p").read_bytes().startswith(SIGNATURES[file_format.name])


def test_pillow_reads_16_bit_grey_with_opacity(tmp_path):
    values, alpha = random16(9, 11), random16(9, 11)[::-1]
    write_pixels(tmp_path / "p.png", BY_SUFFIX[".png"], Pixels(values, alpha, PROFILE))
    with Image.open(tmp_path / "p.png") as image:
        assert image.info["icc_profile"] == PROFILE
        pixels = np.asarray(image.convert("RGBA"))  # Pillow keeps the upper bits
    np.testing.assert_array_equal(pixels[..., 0], values >> 8)
    np.testing.assert_array_equal(pixels[..., 3], alpha >> 8)


def test_png_that_is_written_in_many_chunks_is_read_back(tmp_path, monkeypatch):
    monkeypatch.setattr(png16, "CHUNK_BYTES", 100)
    samples = random16(40, 30, 4)
    write_png16(tmp_path / "p.png", samples, PROFILE)
    again = read_pixels(tmp_path / "p.png")
    assert np.array_equal(np.dstack([again.values, again.alpha]), samples)
    assert again.profile == PROFILE
    with Image.open(tmp_path / "p.png") as image:
        np.testing.assert_array_equal(np.asarray(image), samples >> 8)


@pytest.mark.parametrize(
    ("name", "pixels", "reason"),
    [
        ("p.gif", Pixels(np.zeros((2, 2), np.uint8)), "must end in"),
        ("p.jpg", Pixels(np.zeros((2, 2), np.uint16)), "16 bits"),
        ("p.bmp", Pixels(*np.zeros((2, 2, 2), np.uint8)), "transparency"),
        ("p.pgm", Pixels(np.zeros((2, 2, 3), np.uint8)), "colours"),
        ("p.jpg", Pixels(np.zeros((1, 65501), np.uint8)), "65501 × 1 pixels are too many for JPEG"),
        ("p.webp", Pixels(np.zeros((16384, 1, 3), np.uint8)), "at most 16383 per side"),
    ],
)
def test_formats_that_cannot_hold_the_pixels_are_refused(name, pixels, reason):
    with pytest.raises(InputError, match=reason):
        format_for(name, pixels)


@pytest.mark.parametrize(("suffix", "side"), [(".jpg", 65500), (".webp", 16383)])
def test_largest_side_of_a_format_can_be_written(tmp_path, suffix, side):
    pixels = Pixels(np.zeros((1, side), np.uint8))
    write_pixels(tmp_path / "p", format_for(f"p{suffix}", pixels), pixels)
    assert read_pixels(tmp_path / "p").values.shape[:2] == (1, side)
