"""EXIF data, resolution and profiles are kept from format to format, and fit the upright image."""

import io
import struct
from dataclasses import replace

import numpy as np
import pytest
import tifffile
from helpers import exif_data
from helpers.exif_data import camera_exif, read_with_pillow
from helpers.images_with_metadata import VALUES, check_details, check_upright, converted, written
from PIL import Image, ImageCms

from ezdl_cli.errors import InputError
from ezdl_cli.images.decoding import read_pixels
from ezdl_cli.images.exif import HEADER, Exif, encode_exif, read_exif
from ezdl_cli.images.formats import BY_SUFFIX
from ezdl_cli.images.greyscale import read_grey
from ezdl_cli.images.image_writing import write_pixels
from ezdl_cli.images.orientation import apply_orientation
from ezdl_cli.images.png16 import write_png16
from ezdl_cli.images.tiff_directories import Entry

PROFILE = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
SHAPES = {"grey": 1, "grey, opacity": 2, "colour": 3, "colour, opacity": 4}
TARGETS = (".png", ".jpg", ".tif", ".webp")


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


@pytest.mark.parametrize("order", "<>")
def test_values_of_all_types_are_the_same_in_tiff(tmp_path, order):
    """White point, chromaticities, and other types than usual."""
    tags = {
        318: Entry(5, struct.pack(order + "4I", 3127, 10000, 3290, 10000)),
        319: Entry(5, struct.pack(order + "12I", 64, 100, 33, 100, 3, 10, 6, 10, 15, 100, 6, 100)),
        315: Entry(129, "Zoë\0".encode()),
        18246: Entry(3, struct.pack(order + "H", 4)),
        18249: Entry(10, struct.pack(order + "2i", -1, 3)),
        40091: Entry(1, "title\0".encode("utf-16-le")),
        40092: Entry(8, struct.pack(order + "3h", -1, 2, 3)),
        40093: Entry(9, struct.pack(order + "3i", -1, 2, 3)),
        40094: Entry(11, struct.pack(order + "3f", 1, 2, 3)),
        40095: Entry(12, struct.pack(order + "3d", 1, 2, 3)),
    }
    source = tmp_path / "s.png"
    exif = encode_exif(Exif(order, tags), None, (24, 36))
    Image.fromarray(VALUES[..., :3]).save(source, exif=HEADER + exif)
    target, _ = converted(source, ".tif")
    found = read_pixels(target).metadata.exif.main
    expected = tags | {315: replace(tags[315], kind=2)}
    assert {tag: (e.kind, e.content) for tag, e in found.items()} == {
        tag: (e.kind, e.content) for tag, e in expected.items()
    }


def test_empty_entries_are_not_damage():
    exif = bytearray(camera_exif().removeprefix(HEADER))
    position = exif.index(struct.pack(">HHI", exif_data.MAKE, 2, 7))
    exif[position + 4 : position + 8] = bytes(4)
    found, _, n_damaged = read_exif(bytes(exif))
    assert n_damaged == 0 and exif_data.MAKE not in found.main and found.details


@pytest.mark.parametrize("kind", [3, 4, 13, 16, 18])
def test_only_offsets_of_full_size_point_to_directories_in_big_tiff(kind):
    """Other programs take the unused bytes of shorter ones for a part of the offset."""
    value = struct.pack({3: "<H", 4: "<I", 13: "<I"}.get(kind, "<Q"), 44).ljust(8, b"\0")
    start = struct.pack("<2sHHHQ", b"II", 43, 8, 0, 16)
    main = struct.pack("<QHHQ8s", 1, exif_data.EXIF, kind, 1, value)
    details = struct.pack("<QHHQII", 1, exif_data.EXPOSURE, 5, 1, 1, 60) + bytes(8)
    found, _, n_damaged = read_exif(io.BytesIO(start + main + details))
    assert n_damaged == (0 if kind in (16, 18) else 1)
    assert (found is not None and exif_data.EXPOSURE in found.details) == (kind in (16, 18))


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


def test_notes_of_cameras_move_if_exif_data_are_too_large_for_jpeg_otherwise(tmp_path):
    note = Entry(7, bytes(range(250)) * 2, offset=70_000)
    content = encode_exif(Exif(details={exif_data.MAKER_NOTE: note}), None, (24, 36))
    assert len(content) > 70_000
    Image.fromarray(VALUES[..., :3]).save(tmp_path / "s.png", exif=HEADER + content)
    target, pixels = converted(tmp_path / "s.png", ".jpg")
    assert pixels.metadata.notes == ()
    assert read_with_pillow(target)["details"][exif_data.MAKER_NOTE] == note.content


def test_resolution_that_formats_would_round_to_zero_is_not_read(tmp_path):
    for dpi in (1e-6, 0.4, 0.6, 1.0):
        exif = encode_exif(Exif(), (dpi, dpi), (24, 36))
        Image.fromarray(VALUES[..., :3]).save(tmp_path / "s.webp", exif=HEADER + exif)
        found = read_pixels(tmp_path / "s.webp").metadata.dpi
        assert found == (None if dpi < 0.5 else (dpi, dpi))
        for suffix in TARGETS:
            target, _ = converted(tmp_path / "s.webp", suffix)
            assert (read_pixels(target).metadata.dpi is None) == (found is None)


def test_formats_without_metadata_are_named(tmp_path):
    source = tmp_path / "s.png"
    options = {"exif": camera_exif(), "icc_profile": PROFILE, "dpi": (300, 150)}
    Image.fromarray(VALUES[..., :3]).save(source, **options)
    for suffix, words in ((".bmp", ("EXIF", "ICC")), (".ppm", ("EXIF", "ICC", "resolution"))):
        target, pixels = converted(source, suffix)
        notes = pixels.metadata.notes
        assert all(word in note for word, note in zip(words, notes, strict=True))
        assert read_pixels(target).values.shape == (36, 24, 3)


def test_metadata_can_be_written_without_exif_data(tmp_path):
    pixels = read_pixels(written(tmp_path, ".png", 3, camera_exif()))
    without = replace(pixels, metadata=replace(pixels.metadata, exif=None, dpi=None))
    for suffix in TARGETS:
        write_pixels(tmp_path / "p", BY_SUFFIX[suffix], without)
        assert read_pixels(tmp_path / "p").metadata.exif is None
        assert read_pixels(tmp_path / "p").metadata.dpi is None
