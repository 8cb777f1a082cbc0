"""`ezdl gabor`: fit Gabor functions to the atoms of a dictionary, and measure its topography."""

import numpy as np

from .. import io
from ..core.patch_shape import patch_side
from ..errors import InputError
from ..experiments import topography
from ..figures.fit_tiles import pair_up
from ..gabor.fit import COLUMNS, fit_gabor
from ..parallel import in_order
from ._shared.common_options import quiet_option, seed_option
from ._shared.dictionary_columns import PARAMETERS, dictionary_columns
from ._shared.grouped_help import new_command, option, path_argument, path_option
from ._shared.output_paths import check_outputs
from ._shared.parameter_types import Integer
from ._shared.progress_bar import progress

TARGET_SIZE = 1600  # of the image, in pixels
MAX_PIXELS = 1 << 25  # of all atoms


@new_command("ezdl gabor dictionary.npz fits.csv --picture fits.png")
@path_argument("source", metavar="DICT.npz")
@path_argument("target", metavar="TABLE.csv")
@path_option(
    "--picture",
    "OUT.png",
    "Draw each atom next to its fit. A frame marks atoms that are not Gabor functions.",
)
@path_option(
    "--topography layout",
    "TABLE.csv",
    "Measure the similarity of neighbouring atoms on the grid of the dictionary.",
)
@option(
    "--permutations",
    Integer(2, 100_000),
    200,
    "Number of random layouts that --topography compares the grid with.",
)
@seed_option
@quiet_option
def command(source, target, picture, layout, permutations, seed, quiet):
    """Fit a Gabor function to each atom of a dictionary.

    TABLE.csv has one row per atom with the parameters of its fit: amplitude A; centre x0, y0 and
    widths sigma_x, sigma_y of the envelope in pixels (x to the right, y down, from the centre of
    the first pixel); direction theta from 0 to pi; frequency f in cycles per pixel; phase, and
    phi, the phase folded to the range from 0 (even) to pi/2 (odd symmetry); n_x = sigma_x f and
    n_y = sigma_y f; and R².

    The column reason is empty if the atom is a Gabor function, and otherwise explains why it is
    not. Further columns are the mean frequency of the atom's spectrum and the frequency of its
    peak, the peak of the filter that computes the response to the atom, the angle between theta and
    the nearest axis, and the ratio of the atom's second singular value to its first. Atoms of
    whitened samples are transformed back to pixels.
    """
    check_outputs([target, picture, layout], [source])
    if picture is not None:
        io.check_target(picture, ".png")
    dictionary = io.load_dictionary(source)
    pixels, side = _pixels(source, dictionary)
    if layout is not None and dictionary.grid is None:
        raise InputError(f"{source}: has no grid of atoms; omit --topography")
    about = dictionary_columns(source, dictionary, PARAMETERS | {"atom_rank": "atom_rank"})
    about["whitened"] = int(bool(dictionary.matrices))
    with (
        progress(len(pixels), "Fitting Gabor functions", quiet) as advance,
        in_order(lambda atom: fit_gabor(atom.reshape(side, side)), pixels) as done,
    ):
        fits = []
        for fit in done:
            fits.append(fit)
            advance(1)
    io.save_table(target, _table(about, dictionary, pixels, side, fits))
    if layout is not None:
        measured = _measure_layout(dictionary.grid, pixels, side, fits, permutations, seed)
        io.save_table(layout, _layout_table(about, dictionary.grid, measured))
    if picture is not None:
        _save_picture(picture, pixels, side, fits, dictionary.grid)


def _pixels(source, dictionary):
    """Return the atoms as pixels, and the side of their square patches."""
    pixels = dictionary.pixels.astype(np.float64)
    try:
        side = patch_side(pixels.shape[1])
    except ValueError as error:
        raise InputError(f"{source}: {error}") from None
    if not np.isfinite(pixels).all():
        raise InputError(f"{source}: has atoms whose pixels are not finite; train it again")
    if pixels.size > MAX_PIXELS:
        raise InputError(f"{source}: is too large ({len(pixels)} atoms of {side}x{side} pixels)")
    return pixels, side


def _table(about, dictionary, pixels, side, fits):
    """Return the columns of the table of atoms."""
    fitted = {name: [getattr(fit, name) for fit in fits] for name in COLUMNS}
    return {
        **{name: [value] * len(fits) for name, value in about.items()},
        "side": [side] * len(fits),
        "atom": list(range(len(fits))),
        **{name: fitted[name] for name in COLUMNS if name not in ("r2", "reason")},
        "n_x": [fit.n_x for fit in fits],
        "n_y": [fit.n_y for fit in fits],
        "r2": fitted["r2"],
        "reason": fitted["reason"],
        "spectral_centroid": topography.spectral_centroids(pixels, side).tolist(),
        "spectral_peak": topography.spectral_peaks(pixels, side).tolist(),
        "filter_peak": topography.spectral_peaks(dictionary.filters, side).tolist(),
        "axis_angle": topography.axis_angles(np.array(fitted["theta"])).tolist(),
        "rank_ratio": topography.rank_ratios(pixels, side).tolist(),
    }


def _measure_layout(grid, pixels, side, fits, permutations, seed):
    """Return similarities by kind of pairs, and the joins of neighbouring checkerboards."""
    spectra = topography.power_spectra(pixels, side)
    measured = {
        name: topography.similarity(spectra, pairs(grid), permutations, seed)
        for name, pairs in topography.PAIRS.items()
    }
    marked = [fit.reason == "checkerboard" for fit in fits]
    neighbours = topography.neighbours(grid)
    joins = topography.join_count(marked, neighbours, permutations, seed)
    return measured | {"checkerboards": joins}


def _layout_table(about, grid, measured):
    """Return the columns of the table of similarities, one row per kind of pairs."""
    rows, columns = grid
    values = measured.values()
    return {
        **{name: [value] * len(measured) for name, value in about.items()},
        "rows": [rows] * len(measured),
        "columns": [columns] * len(measured),
        "pairs": list(measured),
        "n_pairs": [one.n_pairs for one in values],
        "similarity": [one.mean for one in values],
        "permuted_mean": [one.permuted_mean for one in values],
        "permuted_deviation": [one.permuted_deviation for one in values],
        "permutations": [one.n_permutations for one in values],
        "score": [one.score for one in values],
    }


def _save_picture(path, pixels, side, fits, grid):
    """Draw atoms next to their fits."""
    fitted = np.array([np.nan_to_num(fit.render(side, side)).ravel() for fit in fits])
    drawn = pair_up(pixels, fitted, [bool(fit.reason) for fit in fits], grid)
    scale = max(1, round(TARGET_SIZE / max(drawn.shape)))
    enlarged = drawn.repeat(scale, axis=0).repeat(scale, axis=1)
    io.save_png(path, enlarged)
