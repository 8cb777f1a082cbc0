"""Figures 8 and 9 of the paper: dictionaries as pictures, one atom beside the other.

8a and 8b are trained on whitened patches, with the topographic and the rank-1 topographic inference
model; 9a and 9b have atoms of rank 1 on raw pixels, with the ordinary and the topographic model.
"""

import numpy as np

from ezdl_cli.figures.atom_tiles import from_table, tile, to_grey
from ezdl_cli.figures.style import COLUMN_INCHES, DOTS_PER_INCH, new_axes, paper_style


def draw(table, grid=None):
    """Draw the atoms, each with the grey values that its own range needs.

    Parameters
    ----------
    table : dict
        Columns `atom`, `row`, `column` and `value`, one row a pixel.
    grid : (int, int), optional
        Rows and columns of the layout [nearest to a square].

    Returns
    -------
    matplotlib.figure.Figure
        Neither wider nor higher than a column is wide, if the atoms have room there.
    """
    picture = to_grey(tile(from_table(table), grid))
    height, width = picture.shape
    # A whole number of dots a pixel: else some pixels are wider than others in the PNG.
    dots = max(1, int(COLUMN_INCHES * DOTS_PER_INCH) // max(picture.shape))
    with paper_style():
        figure, axes = new_axes(dots * height / DOTS_PER_INCH, dots * width / DOTS_PER_INCH)
        figure.set_layout_engine("none")
        axes.set_position((0, 0, 1, 1))
        axes.axis("off")
        # As colours, for a colour map would change some grey values by one.
        colours = np.repeat(picture[:, :, np.newaxis], 3, axis=2)
        axes.imshow(colours, aspect="auto", interpolation="none")
    return figure
