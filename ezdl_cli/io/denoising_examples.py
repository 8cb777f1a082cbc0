"""Examples of denoising: one PNG with the crops that a page compares, pixel by pixel.

Each row is a noise level; from left to right: the original image, the noisy and the denoised one.
The noise levels and the quality are in the text chunk `ezdl`, as JSON.
"""

import io
import json
import math
from dataclasses import dataclass

import numpy as np

from ..errors import InputError
from .atomic_files import read_whole, save_bytes

CHUNK = "ezdl"
MAX_PIXELS = 1 << 24
N_COLUMNS = 3
UNREADABLE = (
    *(ArithmeticError, LookupError, OSError, RecursionError, SyntaxError, TypeError, ValueError),
)


@dataclass(frozen=True)
class DenoisingExample:
    """A part of an image without noise, with noise of one level, and denoised."""

    sigma: float
    crops: tuple
    """Original, noisy and denoised: arrays of uint8, (height, width) or (height, width, 3)."""
    psnr: tuple
    """Of the complete noisy and denoised images, in dB."""


def save_denoising_examples(path, examples):
    """Write examples whose crops have the same size as a PNG image."""
    from PIL import Image, PngImagePlugin

    pixels = np.concatenate([np.concatenate(one.crops, axis=1) for one in examples])
    text = json.dumps([[one.sigma, *map(_finite, one.psnr)] for one in examples])
    information = PngImagePlugin.PngInfo()
    information.add_text(CHUNK, text)
    stream = io.BytesIO()
    Image.fromarray(pixels).save(stream, "PNG", pnginfo=information, optimize=True)
    save_bytes(path, stream.getvalue())


def load_denoising_examples(path):
    """Return the examples in a file, or raise InputError."""
    from PIL import Image

    try:
        pixels, rows = _read(read_whole(path))
        height, width = pixels.shape[0] // len(rows), pixels.shape[1] // N_COLUMNS
        if pixels.shape[:2] != (height * len(rows), width * N_COLUMNS):
            raise ValueError("its size does not fit its rows")
        return [
            DenoisingExample(
                float(sigma),
                tuple(np.split(pixels[i * height : (i + 1) * height], N_COLUMNS, axis=1)),
                tuple(math.inf if one is None else float(one) for one in psnr),
            )
            for i, (sigma, *psnr) in enumerate(rows)
        ]
    except InputError:
        raise
    except (*UNREADABLE, Image.DecompressionBombError) as error:
        raise InputError(f"{path}: not examples of `ezdl denoise --examples` ({error})") from None


def _read(content):
    """Return the pixels and the rows of numbers in the bytes of a PNG."""
    from PIL import Image

    with Image.open(io.BytesIO(content), formats=("PNG",)) as image:
        if image.width * image.height > MAX_PIXELS or image.mode not in ("L", "RGB"):
            raise ValueError("it is too large, or has an unexpected kind of pixels")
        rows = json.loads(image.info[CHUNK])
        if not rows or any(len(row) != N_COLUMNS for row in rows):
            raise ValueError("the noise levels are missing")
        return np.asarray(image), rows


def _finite(number):
    """Return a number for JSON, which has no infinity."""
    return number if math.isfinite(number) else None
