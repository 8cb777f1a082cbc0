"""Images embedded in SVG files."""

import base64
import io
import re
from xml.etree import ElementTree

import numpy as np
import pytest
from helpers.figure_tables import figure_table
from PIL import Image

from ezdl_cli import figures
from ezdl_cli.figures import style
from ezdl_cli.figures.atom_tiles import from_table, tile, to_grey
from ezdl_cli.figures.svg_images import with_small_images

pytestmark = pytest.mark.filterwarnings("error")


def embedded(svg):
    """Return the images of an SVG file."""
    found = re.findall(rb'data:image/png;base64,\s*([^"]+)"', svg)
    return [Image.open(io.BytesIO(base64.b64decode(one))) for one in found]


def svg_of(pixels):
    """A piece of SVG with an image."""
    buffer = io.BytesIO()
    Image.fromarray(pixels).save(buffer, "png")
    return b'<image href="data:image/png;base64,\n%b"/>' % base64.b64encode(buffer.getvalue())


def test_atoms_have_one_grey_pixel_each_and_are_not_smoothed():
    table = figure_table("rank1-ordinary")
    svg = style.encode(figures.load("rank1-ordinary")(table), "svg")
    ElementTree.fromstring(svg)
    (image,) = embedded(svg)
    assert image.mode == "L"
    np.testing.assert_array_equal(np.array(image), to_grey(tile(from_table(table))))
    assert b"image-rendering:pixelated" in svg


@pytest.mark.parametrize("kind", ["grey", "colour", "transparent"])
def test_pixels_stay_the_same(kind):
    pixels = np.random.default_rng(0).integers(0, 256, (9, 7, 4), dtype=np.uint8)
    if kind != "transparent":
        pixels[..., 3] = 255
    if kind == "grey":
        pixels[..., 1:3] = pixels[..., :1]
    (image,) = embedded(with_small_images(svg_of(pixels)))
    assert image.mode == {"grey": "L", "colour": "RGB", "transparent": "RGBA"}[kind]
    np.testing.assert_array_equal(np.array(image.convert("RGBA")), pixels)


def test_text_without_images_is_unchanged():
    assert with_small_images(b"<svg/>") == b"<svg/>"
