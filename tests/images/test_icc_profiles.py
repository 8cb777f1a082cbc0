"""ICC profiles are kept only in files whose values they describe."""

import pytest
from helpers.images_with_metadata import VALUES, converted
from PIL import Image, ImageCms

from ezdl_cli.images.decoding import read_pixels

PROFILE = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
CMYK_PROFILE, GREY_PROFILE = (PROFILE[:16] + name + PROFILE[20:] for name in (b"CMYK", b"GRAY"))


@pytest.mark.parametrize(
    ("mode", "suffix", "profile", "kept"),
    [
        ("RGB", ".jpg", PROFILE, True),
        ("RGB", ".tif", PROFILE, True),
        ("P", ".png", PROFILE, True),
        ("L", ".png", GREY_PROFILE, True),
        ("L", ".png", PROFILE, False),
        ("L", ".tif", PROFILE, False),
        ("RGB", ".png", GREY_PROFILE, False),
        ("RGBA", ".png", CMYK_PROFILE, False),
        ("CMYK", ".jpg", CMYK_PROFILE, False),
        ("CMYK", ".jpg", PROFILE, False),
        ("CMYK", ".tif", CMYK_PROFILE, False),
        ("RGB", ".jpg", b"damaged", False),
    ],
)
def test_profile_is_kept_only_if_it_describes_the_values(tmp_path, mode, suffix, profile, kept):
    image = Image.fromarray(VALUES[..., :3]).convert(mode)
    source = tmp_path / f"s{suffix}"
    image.save(source, icc_profile=profile)
    for target_suffix in (".png", ".tif", ".jpg"):
        target, pixels = converted(source, target_suffix) if mode != "RGBA" else (None, None)
        if target is None:
            pixels = read_pixels(source)
        assert pixels.profile == (profile if kept else None)
        assert any("ICC profile" in note for note in pixels.metadata.notes) != kept
        assert any("CMYK colours" in note for note in pixels.metadata.notes) == (mode == "CMYK")
        if target is not None:
            with Image.open(target) as written_image:
                assert written_image.info.get("icc_profile") == (profile if kept else None)


def test_grey_profile_is_not_written_to_colours(tmp_path):
    Image.fromarray(VALUES[..., 0]).save(tmp_path / "s.png", icc_profile=GREY_PROFILE)
    target, pixels = converted(tmp_path / "s.png", ".webp")
    assert "ICC profile" in pixels.metadata.notes[0]
    with Image.open(target) as image:
        assert image.mode == "RGB" and "icc_profile" not in image.info
