"""Pictures of 16 bits, as they are and as other readers see them."""

import io

import numpy as np
import pytest
import tifffile
from PIL import Image, ImageCms

from ezdl_cli.errors import InputError
from ezdl_cli.images.pictures import Pixels, read_pixels, write_pixels

PROFILE = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
BEGINNINGS = {"PNG": b"\x89PNG", "TIFF": b"II*\0"}


def deep(*shape):
    return np.random.default_rng(0).integers(0, 1 << 16, shape, dtype=np.uint16)


@pytest.mark.parametrize("kind", ["PNG", "TIFF"])
@pytest.mark.parametrize("shape", [(9, 11), (9, 11, 3)])
@pytest.mark.parametrize("transparent", [False, True])
def test_what_is_written_with_16_bits_is_read_again(tmp_path, kind, shape, transparent):
    alpha = deep(*shape[:2]) if transparent else None
    write_pixels(tmp_path / "p", kind, Pixels(deep(*shape), alpha, PROFILE))
    again = read_pixels(tmp_path / "p")
    np.testing.assert_array_equal(again.values, deep(*shape), strict=True)
    assert (again.alpha is None) == (alpha is None)
    assert alpha is None or np.array_equal(again.alpha, alpha)
    assert again.profile == PROFILE
    assert (tmp_path / "p").read_bytes().startswith(BEGINNINGS[kind])


def test_grey_with_transparency_is_understood_by_others(tmp_path):
    values, alpha = deep(9, 11), deep(9, 11)[::-1]
    write_pixels(tmp_path / "p.png", "PNG", Pixels(values, alpha, PROFILE))
    with Image.open(tmp_path / "p.png") as image:
        assert image.info["icc_profile"] == PROFILE
        pixels = np.asarray(image.convert("RGBA"))  # Pillow keeps the upper bits
    np.testing.assert_array_equal(pixels[..., 0], values >> 8)
    np.testing.assert_array_equal(pixels[..., 3], alpha >> 8)


def test_16_bits_that_would_be_cut_to_8_are_refused(tmp_path):
    (tmp_path / "p.ppm").write_bytes(b"P6 11 9 65535\n" + deep(9, 11, 3).astype(">u2").tobytes())
    stream = io.BytesIO()
    tifffile.imwrite(stream, deep(9, 11, 3), photometric="rgb")
    with tifffile.TiffFile(io.BytesIO(stream.getvalue())) as file:
        place = file.pages[0].tags[259].valueoffset
    content = bytearray(stream.getvalue())
    content[place] = 5  # LZW
    (tmp_path / "p.tif").write_bytes(content)
    for name in ("p.ppm", "p.tif"):
        with pytest.raises(InputError, match="has 16 bits a colour"):
            read_pixels(tmp_path / name)
