"""Files with several frames, pages or pictures are refused, or the first is read with a note."""

import io

import numpy as np
import pytest
import tifffile
from helpers.exif_data import camera_exif
from helpers.images_with_metadata import VALUES, check_details, converted
from PIL import Image

from ezdl_cli.errors import InputError
from ezdl_cli.images.decoding import read_pixels
from ezdl_cli.images.greyscale import read_grey
from ezdl_cli.images.orientation import apply_orientation


def pages(kinds, bits=8):
    """A TIFF with pages of these kinds of subfiles."""
    stream = io.BytesIO()
    with tifffile.TiffWriter(stream) as file:
        for kind in kinds:
            side = 12 if kind & 1 else 24
            samples = VALUES[:side, :side, 0].astype(np.uint16 if bits == 16 else np.uint8)
            # tifffile refuses to write masks, of the kind 4.
            file.write(samples, subfiletype=kind % 4, metadata=None, photometric="minisblack")
    stream.seek(0)
    with tifffile.TiffFile(stream, mode="r+b") as file:
        for page, kind in zip(file.pages, kinds, strict=True):
            page.tags[254].overwrite(kind)
        return stream.getvalue()


@pytest.mark.parametrize("bits", [8, 16])
def test_pages_of_tiff_are_refused_unless_they_are_small_copies(tmp_path, bits):
    source = tmp_path / "s.tif"
    for kinds, number in (((0, 0), "2"), ((2, 2, 2), "3"), ((0, 1, 0), "3"), ((1, 0), "2")):
        source.write_bytes(pages(kinds, bits))
        with pytest.raises(InputError, match=f"a TIFF of {number} pages"):
            read_pixels(source)
        assert read_grey(source).shape[0] in (12, 24)
    source.write_bytes(pages([0] * 150, bits))
    with pytest.raises(InputError, match="100 or more pages"):
        read_pixels(source)
    for kinds in ((0, 1), (0, 1, 1), (0, 4)):
        source.write_bytes(pages(kinds, bits))
        notes = read_pixels(source).metadata.notes
        assert len(notes) == 1 and f"the first of {len(kinds)} pages" in notes[0]
    for kinds in ((0,), (1,), (2,)):
        source.write_bytes(pages(kinds, bits))
        assert read_pixels(source).metadata.notes == ()


@pytest.mark.parametrize("kind", ["PNG", "WEBP"])
def test_animations_are_refused(tmp_path, kind):
    frames = [Image.fromarray(VALUES[::step, ::step, :3]).resize((36, 24)) for step in (1, 2, 3)]
    frames[0].save(tmp_path / "s", kind, save_all=True, append_images=frames[1:])
    with pytest.raises(InputError, match="an animation of 3 frames"):
        read_pixels(tmp_path / "s")
    assert read_grey(tmp_path / "s").shape == (24, 36)


def test_first_picture_of_several_in_a_jpeg_is_read_with_a_note(tmp_path):
    first, second = (Image.fromarray(part) for part in (VALUES[..., :3], VALUES[::-1, :, :3]))
    first.save(tmp_path / "s.jpg", "MPO", save_all=True, append_images=[second], exif=camera_exif())
    pixels = read_pixels(tmp_path / "s.jpg")
    assert pixels.metadata.notes == ("only the first of 2 pictures in the file is used",)
    with Image.open(tmp_path / "s.jpg") as image:
        expected = apply_orientation(np.asarray(image), 6)
    np.testing.assert_array_equal(pixels.values, expected)
    target, _ = converted(tmp_path / "s.jpg", ".jpg")
    with Image.open(target) as image:
        assert image.format == "JPEG" and getattr(image, "n_frames", 1) == 1
    check_details(target)
