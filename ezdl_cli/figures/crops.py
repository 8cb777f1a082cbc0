"""Crops of an image, its degraded versions and the restored results, side by side."""

from matplotlib.figure import Figure

from .style import COLUMN_INCHES, FONT_SIZE, SMALL_FONT_SIZE, paper_style

CELL_INCHES = 1.6 / 3 * COLUMN_INCHES
WHITE = 255


def draw_crops(rows, titles):
    """Draw one row for each noise level or other setting.

    Parameters
    ----------
    rows : list of (label, crops, ratios)
        The setting as text, arrays of uint8, (height, width) or (height, width, 3), and the PSNR of
        the complete images after the first, which is the original.
    titles : sequence of str
        Titles of the columns.

    Returns
    -------
    matplotlib figure
    """
    height, width = rows[0][1][0].shape[:2]
    cell = CELL_INCHES
    with paper_style():
        size = (cell * len(titles), (cell * height / width + 0.14) * len(rows) + 0.12)
        figure = Figure(figsize=size)
        grid = figure.subplots(len(rows), len(titles), squeeze=False)
        for line, (label, crops, ratios) in zip(grid, rows, strict=True):
            texts = ("", *(f"{ratio:.2f} dB" for ratio in ratios))
            for axes, crop, text in zip(line, crops, texts, strict=True):
                axes.imshow(crop, cmap="gray", vmin=0, vmax=WHITE, interpolation="nearest")
                axes.set(xticks=[], yticks=[], frame_on=False)
                axes.set_xlabel(text, fontsize=SMALL_FONT_SIZE, labelpad=2)
            line[0].set_ylabel(label, fontsize=FONT_SIZE)
        for axes, title in zip(grid[0], titles, strict=True):
            axes.set_title(title, fontsize=FONT_SIZE, pad=3)
    return figure
