"""Reading an image and writing another one in its place, with the metadata of the first."""

from dataclasses import dataclass, replace

import numpy as np

from ... import io
from ...errors import InputError
from ...images.decoding import read_pixels
from ...images.formats import Format
from ...images.guards.image_size import check_size
from ...images.image_writing import fit_metadata, format_for, write_pixels
from ...images.pixels import Pixels
from .console import echo_stderr, silence_decoders
from .image_experiments import atom_side
from .output_paths import check_outputs


@dataclass(frozen=True)
class ImageFiles:
    """An image, and the file that the result is written to."""

    source: str
    target: str
    # The image, with the metadata that the format of the result can hold.
    pixels: Pixels
    file_format: Format

    def echo_notes(self):
        """Print what was left out of the metadata, one line each."""
        for note in self.pixels.metadata.notes:
            echo_stderr(f"{self.source}: {note}")

    def write(self, values, alpha=None):
        """Write the result, rounded to the type of the image.

        `alpha` is its opacity, if it is not that of the image.
        """
        rounded = as_type(values, self.pixels.values.dtype)
        alpha = self.pixels.alpha if alpha is None else as_type(alpha, rounded.dtype)
        with io.complete_file(self.target) as temporary:
            result = replace(self.pixels, values=rounded, alpha=alpha)
            write_pixels(temporary, self.file_format, result)


def open_images(source, target, others=(), factor=1):
    """Read an image, after a check of all paths.

    Parameters
    ----------
    source, target : path
    others : list of path or None
        Further input files.
    factor : int
        Height and width of the result, divided by those of the image.

    Returns
    -------
    ImageFiles

    Raises
    ------
    InputError
        If the image is unusable, or the result cannot be written to `target`.
    """
    check_outputs([target], [source, *filter(None, others)])
    try:
        with silence_decoders():
            pixels = read_pixels(source)
    except InputError as error:
        raise InputError(f"{source}: {error}") from None
    height, width, *channels = pixels.values.shape
    shape = (factor * height, factor * width, *channels)
    try:
        check_size(shape[1], shape[0])
    except InputError as error:
        raise InputError(f"{source}: the result would have {error}") from None
    # Only the shape of the result matters here.
    result = replace(pixels, values=np.broadcast_to(pixels.values[:1, :1], shape))
    file_format = format_for(target, result)
    return ImageFiles(source, target, fit_metadata(file_format, pixels), file_format)


def load_atoms(path):
    """Return the atoms of a dictionary of patches; None if there is no path."""
    if path is None:
        return None
    dictionary = io.load_dictionary(path)
    atom_side(path, dictionary)
    return dictionary.W


def as_type(values, dtype):
    """Return values rounded and clipped to an unsigned integer type."""
    if values.dtype == dtype:
        return values
    return np.clip(np.rint(values), 0, np.iinfo(dtype).max).astype(dtype)
