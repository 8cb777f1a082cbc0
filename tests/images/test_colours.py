"""Colours of files with all depths and with opacity, reduced to 8 bits over white."""

import numpy as np
import pytest
import tifffile
from PIL import Image

from ezdl_cli.errors import InputError
from ezdl_cli.images.colours import read_colours
from ezdl_cli.images.png16 import write_png16

SAMPLES = np.random.default_rng(0).integers(0, 1 << 16, (9, 11, 4), dtype=np.uint16)
BYTES = (SAMPLES >> 8).astype(np.uint8)


def over_white(samples, white):
    """Independent computation in floating-point numbers, before rounding."""
    samples = samples / white
    alpha = samples[..., 3:] if samples.shape[2] == 4 else 1.0
    return 255 * (samples[..., :3] * alpha + 1 - alpha)


@pytest.mark.parametrize("n_samples", [3, 4])
@pytest.mark.parametrize("bits", [8, 16])
@pytest.mark.parametrize("suffix", [".png", ".tif"])
def test_colours_are_rounded_once_over_white(tmp_path, n_samples, bits, suffix):
    samples = np.ascontiguousarray((BYTES if bits == 8 else SAMPLES)[..., :n_samples])
    path = tmp_path / f"p{suffix}"
    if suffix == ".tif":
        extra = ["unassalpha"] if n_samples == 4 else None
        tifffile.imwrite(path, samples, photometric="rgb", extrasamples=extra)
    elif bits == 16:
        write_png16(path, samples)
    else:
        Image.fromarray(samples).save(path)
    colours = read_colours(path)
    assert colours.dtype == np.uint8 and colours.shape == (9, 11, 3)
    assert np.abs(colours - over_white(samples, 255 if bits == 8 else 65535)).max() <= 0.5 + 1e-9
    if (n_samples, bits) == (3, 8):
        np.testing.assert_array_equal(colours, samples)


@pytest.mark.parametrize("mode", ["1", "L", "LA"])
def test_grey_files_are_refused(tmp_path, mode):
    Image.fromarray(BYTES[..., :3]).convert(mode).save(tmp_path / "p.png")
    with pytest.raises(InputError, match="grey"):
        read_colours(tmp_path / "p.png")


def test_palettes_are_colours(tmp_path):
    image = Image.fromarray(BYTES[..., :3]).convert("P")
    image.save(tmp_path / "p.png")
    np.testing.assert_array_equal(
        read_colours(tmp_path / "p.png"), np.asarray(image.convert("RGB"))
    )
