"""Images with metadata in all formats, their conversion, and checks by other programs."""

import numpy as np
import tifffile
from helpers import exif_data
from helpers.exif_data import camera_exif, read_with_pillow
from PIL import Image

from ezdl_cli.images.decoding import read_pixels
from ezdl_cli.images.image_writing import fit_metadata, format_for, write_pixels
from ezdl_cli.images.png16 import write_png16

VALUES = np.random.default_rng(0).integers(0, 256, (24, 36, 4), dtype=np.uint8)


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
