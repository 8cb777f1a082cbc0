"""EXIF data, resolution and profiles are kept from format to format, and fit the upright image."""

import io
import struct
from dataclasses import replace

import numpy as np
import pytest
import tifffile
from helpers import exif_data
from helpers.exif_data import camera_exif, read_with_pillow
from PIL import Image, ImageCms

from ezdl_cli.errors import InputError
from ezdl_cli.images.decoding import read_pixels
from ezdl_cli.images.exif import HEADER, encode_exif, read_exif
from ezdl_cli.images.formats import BY_SUFFIX
from ezdl_cli.images.greyscale import read_grey
from ezdl_cli.images.image_writing import fit_metadata, format_for, write_pixels
from ezdl_cli.images.orientation import apply_orientation
from ezdl_cli.images.png16 import write_png16

PROFILE = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
CMYK_PROFILE, GREY_PROFILE = (PROFILE[:16] + name + PROFILE[20:] for name in (b"CMYK", b"GRAY"))
RNG = np.random.default_rng(0)
VALUES = RNG.integers(0, 256, (24, 36, 4), dtype=np.uint8)
SHAPES = {"grey": 1, "grey, opacity": 2, "colour": 3, "colour, opacity": 4}
TARGETS = (".png", ".jpg", ".tif", ".webp")


def written(folder, kind, n_samples, exif=None):
    """A file of a kind, whose EXIF data or tags say that it is turned; 300 × 150 dpi."""
    # Pillow writes wrong offsets of the interoperability directory to TIFF.
    exif = camera_exif(interoperability=kind != ".tif") if exif is None else exif
    samples = VALUES[..., :n_samples] if n_samples > 1 else VALUES[..., 0]
    if n_samples == 2:
        samples = VALUES[..., [0, 3]]
    path = folder / f"source{kind[:-2] if kind[-2:] == '16' else kind}"
    deep = samples.astype(np.uint16) * 257
    if kind == ".png16" and n_samples > 1:
        write_png16(path, deep, dpi=(300, 150), exif=exif.removeprefix(b"Exif\0\0"))
    elif kind == ".png16":
        Image.fromarray(deep).save(path, exif=exif, dpi=(300, 150))
    elif kind == ".tif16":
        extra = ["unassalpha"] if n_samples in (2, 4) else None
        colours = "rgb" if n_samples >= 3 else "minisblack"
        tifffile.imwrite(
            *(path, deep),
            photometric=colours,
            planarconfig="contig",
            extrasamples=extra,
            resolution=(300, 150),
            resolutionunit="inch",
            extratags=[(274, 3, 1, 6, True), (271, 2, 0, "Camera", True)],
        )
    else:
        options = {"lossless": True} if kind == ".webp" else {"dpi": (300, 150)}
        Image.fromarray(samples).save(path, exif=exif, **options)
    return path


def converted(source, suffix):
    """Write an image in another format, and return the path and what was written."""
    pixels = read_pixels(source)
    target = source.with_name(f"target{suffix}")
    file_format = format_for(target, pixels)
    pixels = fit_metadata(file_format, pixels)
    write_pixels(target, file_format, pixels)
    return target, pixels


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("kind", [".png", ".png16", ".jpg", ".tif", ".tif16", ".webp"])
def test_exif_and_resolution_survive_between_all_formats(tmp_path, kind, shape):
    n_samples = SHAPES[shape]
    if kind == ".jpg" and n_samples in (2, 4):
        return
    source = written(tmp_path, kind, n_samples)
    for suffix in TARGETS:
        try:
            target, pixels = converted(source, suffix)
        except InputError:
            assert suffix in (".jpg", ".webp") if "16" in kind else suffix == ".jpg"
            assert "16" in kind or n_samples in (2, 4)
            continue
        assert pixels.metadata.notes == ()
        check_upright(target)
        if kind != ".tif16":
            check_details(target, interoperability=kind != ".tif")
        again = read_pixels(target)
        assert again.values.shape[:2] == (36, 24)
        assert again.metadata.notes == ()
        np.testing.assert_allclose(again.metadata.dpi, (150, 300), rtol=1e-3)


def check_upright(path):
    """Check what Pillow finds, or tifffile where Pillow cannot read the image."""
    try:
        found = read_with_pillow(path)
    except OSError:
        with tifffile.TiffFile(path) as file:
            tags = {tag.code: tag.value for tag in file.pages[0].tags}
        assert tags[271] == "Camera" and tags.get(274, 1) == 1
        assert tags[296] == 2
        resolution = [tags[tag][0] / tags[tag][1] for tag in (282, 283)]
        np.testing.assert_allclose(resolution, (150, 300), rtol=1e-3)
        return
    assert found["main"][exif_data.MAKE] == "Camera"
    assert found["main"].get(exif_data.ORIENTATION, 1) == 1
    if found["dpi"] is not None:
        dpi = [float(value) for value in found["dpi"]]
        np.testing.assert_allclose(dpi, (150, 300), rtol=1e-3)
    if exif_data.X_RESOLUTION in found["main"]:
        np.testing.assert_allclose(float(found["main"][exif_data.X_RESOLUTION]), 150, rtol=1e-3)
        np.testing.assert_allclose(float(found["main"][exif_data.Y_RESOLUTION]), 300, rtol=1e-3)
        assert found["main"][exif_data.UNIT] == 2
    else:
        assert path.suffix != ".webp"


def check_details(path, interoperability=True):
    if path.suffix == ".tif":
        with tifffile.TiffFile(path) as file:
            tags = file.pages[0].tags
            details, gps = tags["ExifTag"].value, tags["GPSTag"].value
        assert details["ExposureTime"] == (1, 60) and details["MakerNote"] == exif_data.NOTE
        assert (details["PixelXDimension"], details["PixelYDimension"]) == (24, 36)
        assert "SubjectArea" not in details
        assert ("InteroperabilityTag" in details) == interoperability
        assert gps["GPSLatitude"] == (48, 1, 8, 1, 15, 2)
        return
    found = read_with_pillow(path)
    details = found["details"]
    assert details[exif_data.EXPOSURE] == exif_data.RATIO(1, 60)
    assert details[exif_data.MAKER_NOTE] == exif_data.NOTE
    assert details[exif_data.COMMENT] == b"ASCII\0\0\0a comment"
    assert (details[exif_data.WIDTH], details[exif_data.HEIGHT]) == (24, 36)
    assert exif_data.SUBJECT not in details
    assert found.get("interoperability") == ({1: "R98"} if interoperability else None)
    assert found["gps"][2] == (48.0, 8.0, 7.5)
    assert exif_data.THUMBNAIL not in path.read_bytes()


@pytest.mark.parametrize("orientation", range(1, 9))
@pytest.mark.parametrize("kind", [".jpg", ".png16", ".tif", ".tif16"])
def test_resolution_is_swapped_only_if_axes_are(tmp_path, kind, orientation):
    source = written(tmp_path, kind, 3, camera_exif(orientation, kind != ".tif"))
    if kind == ".tif16":
        with tifffile.TiffFile(source, mode="r+b") as file:
            file.pages[0].tags[274].overwrite(orientation)
    pixels = read_pixels(source)
    expected = (150, 300) if orientation >= 5 else (300, 150)
    np.testing.assert_allclose(pixels.metadata.dpi, expected, rtol=1e-3)
    details = {} if pixels.metadata.exif is None else pixels.metadata.exif.details
    assert (exif_data.SUBJECT in details) == (orientation == 1 and kind != ".tif16")
    if kind != ".jpg":
        factor = 257 if "16" in kind else 1
        colours = VALUES[..., :3].astype(pixels.values.dtype) * factor
        np.testing.assert_array_equal(pixels.values, apply_orientation(colours, orientation))


def test_notes_of_cameras_do_not_move_within_exif_data(tmp_path):
    """They contain offsets, such as those of Canon."""
    exif = camera_exif()
    source = written(tmp_path, ".jpg", 3, exif)
    for suffix in (".jpg", ".png", ".webp"):
        target, _ = converted(source, suffix)
        with Image.open(target) as image:
            image.load()
            copied = image.info["exif"].removeprefix(b"Exif\0\0")
        expected = exif.removeprefix(b"Exif\0\0").index(exif_data.NOTE)
        assert copied.index(exif_data.NOTE) == expected
        assert len(copied) < len(exif) + 40


def test_copying_twice_changes_nothing(tmp_path):
    for kind in (".jpg", ".png", ".tif", ".webp"):
        source = written(tmp_path, kind, 3)
        once, _ = converted(source, kind)
        again = once.rename(tmp_path / f"once{kind}")
        twice, _ = converted(again, kind)
        assert read_pixels(twice).metadata == read_pixels(again).metadata


@pytest.mark.parametrize("order", "<>")
@pytest.mark.parametrize("bits", [8, 16])
def test_big_and_little_endian_exif_data_are_kept_in_tiff(tmp_path, order, bits):
    exif = Image.Exif()
    exif.endian = order
    exif[exif_data.MAKE] = "Camera"
    exif[exif_data.EXIF] = {exif_data.EXPOSURE: exif_data.RATIO(1, 60)}
    source = tmp_path / "s.png"
    deep = VALUES[..., :3].astype(np.uint16)
    if bits == 16:
        write_png16(source, deep, exif=exif.tobytes()[6:])
    else:
        Image.fromarray(VALUES[..., :3]).save(source, exif=exif)
    target, _ = converted(source, ".tif")
    with tifffile.TiffFile(target) as file:
        assert file.byteorder == order
        tags = file.pages[0].tags
        assert tags["Make"].value == "Camera"
        assert tags["ExifTag"].value["ExposureTime"] == (1, 60)
        np.testing.assert_array_equal(file.asarray(), VALUES[..., :3])


def test_resolution_alone_is_kept(tmp_path):
    """In dots per inch, or per centimetre in TIFF; WebP has it as EXIF data."""
    colours = VALUES[..., :3]
    Image.fromarray(colours).save(tmp_path / "a.png", dpi=(200, 100))
    about = {"resolution": (50, 25), "resolutionunit": "centimeter"}
    tifffile.imwrite(tmp_path / "b.tif", colours, metadata=None, software=False, **about)
    Image.fromarray(colours).save(tmp_path / "c.bmp", dpi=(200, 100))
    for name, expected in (("a.png", (200, 100)), ("b.tif", (127, 63.5)), ("c.bmp", (200, 100))):
        for suffix in (*TARGETS, ".bmp"):
            target, pixels = converted(tmp_path / name, suffix)
            assert pixels.metadata.notes == ()
            found = read_pixels(target).metadata.dpi
            assert np.allclose(found, expected, rtol=1e-2 if suffix == ".jpg" else 1e-3)
    Image.fromarray(colours).save(tmp_path / "none.jpg")
    assert read_pixels(tmp_path / "none.jpg").metadata.dpi is None


def damaged(way):
    """Damaged EXIF data."""
    exif = bytearray(camera_exif(1).removeprefix(b"Exif\0\0"))
    (first,) = struct.unpack(">I" if exif[:2] == b"MM" else "<I", exif[4:8])
    if way == "truncated":
        del exif[first + 20 :]
    elif way == "no header":
        exif[:4] = b"what"
    elif way == "beyond the end":
        exif[4:8] = b"\x7f\xff\xff\x7f"
    elif way == "value beyond the end":
        position = exif.index(b"\x01\x0f" if exif[:2] == b"MM" else b"\x0f\x01")
        exif[position + 8 : position + 12] = b"\x7f\xff\xff\x7f"
    return b"Exif\0\0" + bytes(exif)


@pytest.mark.filterwarnings("ignore")  # of Pillow; the command line silences them
@pytest.mark.parametrize("kind", [".png", ".png16", ".jpg", ".webp"])
@pytest.mark.parametrize(
    "way", ["truncated", "no header", "beyond the end", "value beyond the end"]
)
def test_damaged_exif_data_are_left_out_with_a_note(tmp_path, kind, way):
    source = written(tmp_path, kind, 3, damaged(way))
    target, pixels = converted(source, ".png")
    assert len(pixels.metadata.notes) == 1 and "EXIF data" in pixels.metadata.notes[0]
    found = read_with_pillow(target)
    if way == "value beyond the end":  # the other entries are kept
        assert exif_data.MAKE not in found["main"] and found["details"][exif_data.EXPOSURE]
    else:
        assert found["main"] == {}
    assert read_grey(source).shape == (24, 36)


def test_extreme_exif_data_are_refused_or_read_once(tmp_path):
    exif = bytearray(camera_exif().removeprefix(HEADER))
    (first,) = struct.unpack(">I", exif[4:8])
    position = exif.index(struct.pack(">HHI", exif_data.EXIF, 4, 1))
    exif[position + 8 : position + 12] = exif[4:8]  # the directory refers to itself
    found, _, _ = read_exif(bytes(exif))
    assert encode_exif(found, None, (24, 36)).count(b"Camera") == 2
    exif[first : first + 2] = b"\xff\xff"
    with pytest.raises(ValueError, match="entries"):
        read_exif(bytes(exif))
    exif[first : first + 2] = b"\x10\x00"
    with pytest.raises(ValueError, match="truncated"):
        read_exif(bytes(exif))


def test_exif_data_too_large_for_jpeg_are_left_out_with_a_note(tmp_path):
    exif = Image.Exif()
    exif[exif_data.EXIF] = {exif_data.MAKER_NOTE: bytes(70_000)}
    Image.fromarray(VALUES[..., :3]).save(tmp_path / "s.png", exif=exif)
    _, pixels = converted(tmp_path / "s.png", ".jpg")
    assert "JPEG" in pixels.metadata.notes[0]
    target, pixels = converted(tmp_path / "s.png", ".webp")
    assert pixels.metadata.notes == ()
    assert len(read_with_pillow(target)["details"][exif_data.MAKER_NOTE]) == 70_000
    exif[exif_data.EXIF] = {exif_data.MAKER_NOTE: bytes(2 << 20)}
    Image.fromarray(VALUES[..., :3]).save(tmp_path / "s.png", exif=exif)
    _, pixels = converted(tmp_path / "s.png", ".png")
    assert "EXIF" in pixels.metadata.notes[0]


def test_formats_without_metadata_are_named(tmp_path):
    source = tmp_path / "s.png"
    Image.fromarray(VALUES[..., :3]).save(source, exif=camera_exif(), icc_profile=PROFILE)
    for suffix in (".bmp", ".ppm"):
        target, pixels = converted(source, suffix)
        assert ["EXIF" in pixels.metadata.notes[0], "ICC" in pixels.metadata.notes[1]] == [True] * 2
        assert read_pixels(target).values.shape == (36, 24, 3)


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


def test_metadata_can_be_written_without_exif_data(tmp_path):
    pixels = read_pixels(written(tmp_path, ".png", 3, camera_exif()))
    without = replace(pixels, metadata=replace(pixels.metadata, exif=None, dpi=None))
    for suffix in TARGETS:
        write_pixels(tmp_path / "p", BY_SUFFIX[suffix], without)
        assert read_pixels(tmp_path / "p").metadata.exif is None
        assert read_pixels(tmp_path / "p").metadata.dpi is None
