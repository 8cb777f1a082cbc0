"""Examples of restored images: one PNG with the crops that a page compares, pixel by pixel.

Each row is a setting of a task, such as a noise level; from left to right: the original image, the
degraded one, and results. What they are and their quality is in the text chunk `ezdl`, as JSON.
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
MIN_COLUMNS = 3
DENOISING = "denoising"
UNREADABLE = (
    *(ArithmeticError, LookupError, OSError, RecursionError, SyntaxError, TypeError, ValueError),
)


@dataclass(frozen=True)
class RestorationExample:
    """A part of an image: original, degraded, and restored."""

    setting: float
    """The noise level, or what else determines how much the image is degraded."""
    crops: tuple
    """Original, degraded and restored, with the result of a baseline before the last if there is
    one: arrays of uint8, (height, width) or (height, width, 3)."""
    psnr: tuple
    """Of the complete images after the original, in dB."""
    task: str = DENOISING


def save_restoration_examples(path, examples):
    """Write examples whose crops have the same size and number as a PNG image."""
    from PIL import Image, PngImagePlugin

    pixels = np.concatenate([np.concatenate(one.crops, axis=1) for one in examples])
    information = PngImagePlugin.PngInfo()
    information.add_text(CHUNK, json.dumps([_row(one) for one in examples]))
    stream = io.BytesIO()
    Image.fromarray(pixels).save(stream, "PNG", pnginfo=information, optimize=True)
    save_bytes(path, stream.getvalue())


def load_restoration_examples(path):
    """Return the examples in a file, or raise InputError."""
    from PIL import Image

    try:
        pixels, rows = _read(read_whole(path))
        n_columns = len(rows[0].psnr) + 1
        height, width = pixels.shape[0] // len(rows), pixels.shape[1] // n_columns
        if pixels.shape[:2] != (height * len(rows), width * n_columns):
            raise ValueError("its size does not fit its rows")
        return [
            RestorationExample(
                one.setting,
                tuple(np.split(pixels[i * height : (i + 1) * height], n_columns, axis=1)),
                one.psnr,
                one.task,
            )
            for i, one in enumerate(rows)
        ]
    except InputError:
        raise
    except (*UNREADABLE, Image.DecompressionBombError) as error:
        commands = "`ezdl denoise --examples` or `ezdl restore --examples`"
        raise InputError(f"{path}: not examples of {commands} ({error})") from None


def _read(content):
    """Return the pixels in the bytes of a PNG, and its rows as examples without crops."""
    from PIL import Image

    with Image.open(io.BytesIO(content), formats=("PNG",)) as image:
        if image.width * image.height > MAX_PIXELS or image.mode not in ("L", "RGB"):
            raise ValueError("it is too large, or has an unexpected kind of pixels")
        rows = [_example(row) for row in json.loads(image.info[CHUNK])]
        lengths = {len(one.psnr) + 1 for one in rows}
        if len(lengths) != 1 or min(lengths) < MIN_COLUMNS:
            raise ValueError("its rows are missing, or differ in length")
        return np.asarray(image), rows


def _row(example):
    """Return an example without crops for JSON: the setting, the PSNR, and the task."""
    psnr = [number if math.isfinite(number) else None for number in example.psnr]
    # Without a task, files of `ezdl denoise` are those of earlier versions.
    return [example.setting, *psnr, *([] if example.task == DENOISING else [example.task])]


def _example(row):
    """Return an example without crops from its row."""
    setting, *psnr = row
    task = psnr.pop() if isinstance(psnr[-1], str) else DENOISING
    ratios = tuple(math.inf if one is None else float(one) for one in psnr)
    return RestorationExample(float(setting), (), ratios, task)
