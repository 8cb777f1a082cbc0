"""Statistics of the atoms of a dictionary, from the rows of `ezdl gabor`, one per atom.

Rows are a dict from column name to array. A fit is accepted if the column `reason` is empty. A
statistic of no atoms is NaN.
"""

import numpy as np

from .averages import as_numbers

N_PHASE_BINS = 8
NEAR_AXIS = np.radians(10.0)  # orientations within this angle count as parallel to an axis


def mean_of(name):
    """Return a function that computes the mean of a column over accepted fits."""
    return lambda rows: _over(np.mean, _accepted(rows, name))


def median_of(name):
    """Return a function that computes the median of a column over accepted fits."""
    return lambda rows: _over(np.median, _accepted(rows, name))


def capped_mean_of(name):
    """Return a function that computes the mean of a width, capped at the side of the patch.

    Widths beyond the patch cannot be measured.
    """
    return lambda rows: _over(np.mean, np.minimum(_accepted(rows, name), _accepted(rows, "side")))


def median_r2(rows):
    """Compute the median R² of all fits."""
    return _over(np.median, as_numbers(rows, "r2"))


def mean_centroid(rows):
    """Compute the mean frequency of the spectra, over all atoms."""
    return _over(np.mean, as_numbers(rows, "spectral_centroid"))


def max_rank_ratio(rows):
    """Compute the largest ratio of the second to the first singular value."""
    return np.max(rows["rank_ratio"])


def share_beyond_patch(rows):
    """Compute the share of accepted fits that are wider than the patch."""
    widths = np.maximum(_accepted(rows, "sigma_x"), _accepted(rows, "sigma_y"))
    return _over(np.mean, widths >= _accepted(rows, "side"))


def share_checkerboards(rows):
    """Compute the share of atoms that are checkerboards."""
    return np.mean(rows["reason"] == "checkerboard")


def share_low(column):
    """Return a function that computes the share of peaks at no more than one cycle per patch."""
    return lambda rows: np.mean(rows[column] * rows["side"] <= 1)


def share_paraxial(rows):
    """Compute the share of atoms along an axis or checkerboards, among those with a fit."""
    checkerboard = rows["reason"] == "checkerboard"
    angles = as_numbers(rows, "axis_angle")
    fitted = ~np.isnan(angles)
    paraxial = checkerboard | (fitted & (angles <= NEAR_AXIS))
    return _over(np.mean, paraxial[fitted | checkerboard])


def share_of_phases(i):
    """Return a function that computes the share of accepted phases in bin i."""
    return lambda rows: _over(lambda phi: np.mean(phase_bins(phi) == i), _accepted(rows, "phi"))


def phase_edges():
    """Return the edges of the bins of phases, from 0 to π/2."""
    return np.linspace(0.0, np.pi / 2, N_PHASE_BINS + 1)


def phase_bins(phi):
    """Return the index of each phase's bin."""
    return np.clip(np.searchsorted(phase_edges(), phi, "right") - 1, 0, N_PHASE_BINS - 1)


def _accepted(rows, name):
    return as_numbers(rows, name)[rows["reason"] == ""]


def _over(statistic, values):
    """Statistic of the values that are not NaN; NaN if there are none."""
    values = values[~np.isnan(values)]
    return statistic(values) if values.size else np.nan
