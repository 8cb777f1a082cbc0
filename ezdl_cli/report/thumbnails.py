"""Small versions of figures, shown beside the claims that they belong to."""

from io import BytesIO

from PIL import Image

from ..errors import InputError

WIDTH, COLOURS = 400, 32
MAX_PIXELS = 1 << 26


def thumbnail(path, png):
    """Return a small PNG version of the PNG image of a figure; raise InputError if damaged."""
    try:
        with Image.open(BytesIO(png), formats=("PNG",)) as image:
            if image.width * image.height > MAX_PIXELS:
                raise ValueError("it is too large")
            size = (WIDTH, max(1, round(image.height * WIDTH / image.width)))
            small = image.convert("RGB").resize(size, Image.Resampling.LANCZOS)
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError) as error:
        raise InputError(f"{path}: not a PNG image of a figure ({error})") from None
    stream = BytesIO()
    small.quantize(COLOURS).save(stream, "PNG", optimize=True)
    return stream.getvalue()
