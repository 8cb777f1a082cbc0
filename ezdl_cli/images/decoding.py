"""From the bytes of an image file to its pixels: the one decoder of the package.

The first bytes of a file give its format. The guard of the format runs first, then its own reader
if it has one, then Pillow. The EXIF orientation is applied.
"""

import io
import os
import stat
from contextlib import contextmanager
from dataclasses import replace

from PIL import Image

from ..errors import InputError, one_line
from .formats import FORMATS, recognise
from .guards.image_size import MAX_BYTES, MAX_PIXELS
from .metadata import read_metadata, several_pictures
from .pillow_decoding import decode_with_pillow


def read_pixels(path):
    """Read an image without loss, with its metadata.

    In contrast to `decode`, what would be reduced is refused, and so are files with several frames
    or pages, unless the others are small copies of the first.
    """
    with open_image_file(path) as stream, _decoder_errors():
        found, pixels = _decode(stream)
        if pixels.premultiplied:
            raise InputError("premultiplied transparency; save the image without it")
        if pixels.reduced:
            raise InputError(
                "more than 8 bits per colour in an unsupported encoding; save it as PNG"
            )
        return replace(pixels, metadata=read_metadata(stream, found.name, pixels.container))


def decode(source):
    """Decode an image file, given by its path or its content, to Pixels.

    The message of an InputError is the reason alone, without the name of the file.
    """
    return decode_first(source)[0]


def decode_first(source):
    """Decode as `decode` does, and report whether the file has further pictures.

    Returns
    -------
    Pixels
    several : str or None
        The pictures in the file, such as "3 pages", of which only the first is decoded; None for a
        single one.
    """
    opened = io.BytesIO(source) if isinstance(source, bytes) else open_image_file(source)
    with opened as stream, _decoder_errors():
        found, pixels = _decode(stream)
        return pixels, several_pictures(stream, found.name, pixels.container)


def _decode(stream):
    """Return the format of an image and its Pixels."""
    found = recognise(stream.read(4))
    stream.seek(0)
    if found is None:
        raise Image.UnidentifiedImageError
    if found.check is not None:
        found.check(stream)
        stream.seek(0)
    pixels = found.read(stream) if found.read is not None else None
    return found, decode_with_pillow(stream, found.name) if pixels is None else pixels


def open_image_file(path):
    """Open an image file for reading; InputError with the reason alone if that is impossible."""
    try:
        status = os.stat(path)
        if not stat.S_ISREG(status.st_mode):
            raise InputError("not a regular file")
        if status.st_size > MAX_BYTES:
            raise InputError(f"{status.st_size} bytes, above the limit of {MAX_BYTES}")
        return open(path, "rb")
    except OSError as error:
        raise InputError(f"cannot be read ({error.strerror})") from None


def read_image_file(path):
    """Read the content of an image file, under the same limits."""
    with open_image_file(path) as stream:
        # The size is given since `read` allocates as much as it is asked for.
        return stream.read(os.fstat(stream.fileno()).st_size)


@contextmanager
def _decoder_errors():
    """Turn whatever decoders raise into an InputError with the reason alone."""
    try:
        yield
    except InputError:
        raise
    except MemoryError:
        raise InputError("not enough memory to decode it") from None
    except Image.DecompressionBombError:
        raise InputError(f"more pixels than the limit of {MAX_PIXELS}") from None
    except Image.UnidentifiedImageError:
        names = ", ".join(each.name for each in FORMATS)
        raise InputError(f"not an image ({names}), or its header is damaged") from None
    except Exception as error:  # decoders raise nearly anything on damaged files
        reason = one_line(error)[:200] or type(error).__name__
        raise InputError(f"cannot be decoded ({reason})") from None
