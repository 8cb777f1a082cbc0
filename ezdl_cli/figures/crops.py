"""Crops of an image, its noisy versions and the denoised results, side by side."""

from matplotlib.figure import Figure

from .style import COLUMN_INCHES, FONT_SIZE, SMALL_FONT_SIZE, paper_style

COLUMNS = ("Original", "Noisy", "Denoised")
WHITE = 255


def draw_crops(rows):
    """Draw one row for each noise level.

    Parameters
    ----------
    rows : list of (sigma, crops, ratios)
        The noise level, three arrays of uint8, (height, width) or (height, width, 3), and the PSNR
        of the complete noisy and denoised images.

    Returns
    -------
    matplotlib figure
    """
    height, width = rows[0][1][0].shape[:2]
    cell = 1.6 * COLUMN_INCHES / len(COLUMNS)
    with paper_style():
        size = (cell * len(COLUMNS), (cell * height / width + 0.14) * len(rows) + 0.12)
        figure = Figure(figsize=size)
        grid = figure.subplots(len(rows), len(COLUMNS), squeeze=False)
        for line, (sigma, crops, ratios) in zip(grid, rows, strict=True):
            texts = ("", *(f"{ratio:.2f} dB" for ratio in ratios))
            for axes, crop, text in zip(line, crops, texts, strict=True):
                axes.imshow(crop, cmap="gray", vmin=0, vmax=WHITE, interpolation="nearest")
                axes.set(xticks=[], yticks=[], frame_on=False)
                axes.set_xlabel(text, fontsize=SMALL_FONT_SIZE, labelpad=2)
            line[0].set_ylabel(rf"$\sigma = {sigma:g}$", fontsize=FONT_SIZE)
        for axes, title in zip(grid[0], COLUMNS, strict=True):
            axes.set_title(title, fontsize=FONT_SIZE, pad=3)
    return figure
