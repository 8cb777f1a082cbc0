"""Limits on the size of an image and of its file."""

from ...errors import InputError

MAX_BYTES = 1 << 30
MAX_PIXELS = 1 << 27
MAX_SIDE = 1 << 18


def check_size(width, height):
    """Refuse an image that is empty or too large, before it is decoded."""
    if min(width, height) < 1:
        raise InputError("an image without pixels")
    if width * height > MAX_PIXELS:
        raise InputError(f"{width} × {height} pixels, above the limit of {MAX_PIXELS}")
    if max(width, height) > MAX_SIDE:
        raise InputError(f"{width} × {height} pixels, above the limit of {MAX_SIDE} per side")
