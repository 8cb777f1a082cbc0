"""Figures 8 and 9 of the paper: the atoms of dictionaries, side by side.

8a and 8b are learned on whitened patches, with the topographic and the rank-1 topographic inference
model; 9a and 9b have atoms of rank 1 on raw pixels, with the ordinary and the topographic model.
"""

import numpy as np

from .atom_tiles import from_table, tile, to_grey
from .style import COLUMN_INCHES, DOTS_PER_INCH, new_axes, paper_style


def draw(table, grid=None):
    """Draw the atoms, each scaled to its own range.

    Parameters
    ----------
    table : dict
        Columns `atom`, `row`, `column` and `value`, one row per pixel.
    grid : (int, int), optional
        Rows and columns of the layout; as square as possible by default.

    Returns
    -------
    matplotlib.figure.Figure
        At most one column wide and as high, if the atoms fit.
    """
    picture = to_grey(tile(from_table(table), grid))
    height, width = picture.shape
    # An integer number of dots per pixel: otherwise pixels of the PNG differ in width.
    dots = max(1, int(COLUMN_INCHES * DOTS_PER_INCH) // max(picture.shape))
    with paper_style():
        figure, axes = new_axes(dots * height / DOTS_PER_INCH, dots * width / DOTS_PER_INCH)
        figure.set_layout_engine("none")
        axes.set_position((0, 0, 1, 1))
        axes.axis("off")
        # As RGB values: a colour map would change some grey values by one.
        colours = np.repeat(picture[:, :, np.newaxis], 3, axis=2)
        axes.imshow(colours, aspect="auto", interpolation="none")
    return figure
