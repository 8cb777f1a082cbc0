"""Smaller images within SVG files: matplotlib embeds all of them as RGBA."""

import base64
import io
import re

from PIL import Image, ImageChops

_EMBEDDED = re.compile(rb"(?<=data:image/png;base64,)[^\"]+")


def with_small_images(svg):
    """Return the bytes of an SVG file whose opaque images have no more channels than they need."""
    return _EMBEDDED.sub(lambda found: _smaller(found[0]), svg)


def _smaller(encoded):
    """Return an image, as PNG in base64, in grey or without transparency if possible."""
    with Image.open(io.BytesIO(base64.b64decode(encoded))) as image:
        if image.getchannel("A").getextrema()[0] < 255:
            return encoded
        colours = image.convert("RGB")
    red, green, blue = colours.split()
    is_grey = not any(ImageChops.difference(red, one).getbbox() for one in (green, blue))
    buffer = io.BytesIO()
    (red if is_grey else colours).save(buffer, "png", optimize=True)
    return base64.b64encode(buffer.getvalue())
