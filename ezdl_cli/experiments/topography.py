"""How alike the atoms of a dictionary are, and how their layout on a grid brings the like together.

Atoms are compared by the cosine of their power spectra, which does not change when an atom is
shifted in phase or place: neighbours of topographic dictionaries are alike in frequency and
direction, not in phase. What a layout is worth is measured against random ones of the same atoms.
"""

from dataclasses import dataclass

import numpy as np

PADDING = 2


@dataclass(frozen=True)
class Similarity:
    """A mean cosine of power spectra over pairs of atoms, and the same over random layouts."""

    mean: float
    permuted_mean: float
    permuted_deviation: float
    n_pairs: int
    n_permutations: int

    @property
    def score(self):
        """How many deviations the mean is above that of random layouts; NaN if they all agree."""
        if not self.permuted_deviation > 0.0:
            return np.nan
        return (self.mean - self.permuted_mean) / self.permuted_deviation


def power_spectra(pixels, side):
    """Power spectra of atoms, zero-padded to twice the side, each of unit norm.

    Parameters
    ----------
    pixels : array (n_atoms, side²)
    side : int

    Returns
    -------
    array (n_atoms, 2 side (side + 1)) of float64; zeros for an atom of zeros
    """
    atoms = _scaled(pixels).reshape(-1, side, side)
    size = PADDING * side
    spectra = np.square(np.abs(np.fft.rfft2(atoms, (size, size))))
    # The columns in between stand for their mirror images as well.
    spectra[:, :, 1 : -(-size // 2)] *= np.sqrt(2.0)
    spectra = spectra.reshape(len(atoms), -1)
    lengths = np.linalg.norm(spectra, axis=1, keepdims=True)
    return spectra / np.where(lengths > 0.0, lengths, 1.0)


def spectral_centroids(pixels, side):
    """Mean frequency of each atom, weighted with its power, in cycles a pixel; NaN for zeros."""
    size = PADDING * side
    atoms = _scaled(pixels).reshape(-1, side, side)
    power = np.square(np.abs(np.fft.fft2(atoms, (size, size)))).reshape(len(atoms), -1)
    along = np.fft.fftfreq(size)
    frequency = np.hypot(along[:, np.newaxis], along).ravel()
    total = power.sum(axis=1)
    return np.where(total > 0.0, power @ frequency / np.where(total > 0.0, total, 1.0), np.nan)


def rank_ratios(pixels, side):
    """Second singular value of each atom over its first: 0 for atoms of rank 1; NaN for zeros."""
    values = np.linalg.svd(_scaled(pixels).reshape(-1, side, side), compute_uv=False)
    second = values[:, 1] if side > 1 else np.zeros(len(values))
    positive = values[:, 0] > 0.0
    return np.where(positive, second / np.where(positive, values[:, 0], 1.0), np.nan)


def axis_angles(theta):
    """Angle between directions and the nearest axis, from 0 to π/4."""
    rest = np.mod(theta, np.pi / 2)
    return np.minimum(rest, np.pi / 2 - rest)


def neighbours(grid):
    """Pairs of atoms that are side by side, one above the other or diagonal, on a closed grid.

    Returns
    -------
    array (n_pairs, 2) of int, each pair once; the ends of rows and columns meet
    """
    rows, columns = grid
    place = np.arange(rows * columns).reshape(rows, columns)
    shifts = ((0, 1), (1, 0), (1, 1), (1, -1))
    pairs = [
        np.stack([place, np.roll(place, (-down, -right), (0, 1))], axis=-1).reshape(-1, 2)
        for down, right in shifts
    ]
    return _each_once(np.concatenate(pairs))


def same_row_or_column(grid):
    """Pairs of atoms in the same row or the same column, array (n_pairs, 2)."""
    rows, columns = grid
    first, second = np.triu_indices(rows * columns, 1)
    alike = (first // columns == second // columns) | (first % columns == second % columns)
    return np.stack([first[alike], second[alike]], axis=-1)


def all_pairs(grid):
    """All pairs of atoms, array (n_pairs, 2)."""
    rows, columns = grid
    return np.stack(np.triu_indices(rows * columns, 1), axis=-1)


PAIRS = {
    "neighbours": neighbours,
    "rows and columns": same_row_or_column,
    "all pairs": all_pairs,
}


def similarity(spectra, pairs, n_permutations=200, seed=0):
    """Mean cosine over pairs, against random permutations of the atoms.

    Parameters
    ----------
    spectra : array (n_atoms, n), of unit norm
    pairs : array (n_pairs, 2)
    n_permutations : int
    seed : int

    Returns
    -------
    Similarity
    """
    cosines = spectra @ spectra.T
    first, second = pairs.T
    mean = cosines[first, second].mean() if len(pairs) else np.nan
    rng = np.random.default_rng(seed)
    orders = (rng.permutation(len(spectra)) for _ in range(n_permutations if len(pairs) else 0))
    permuted = [cosines[order[first], order[second]].mean() for order in orders]
    deviation = np.std(permuted, ddof=1) if len(permuted) > 1 else np.nan
    # Where all layouts have the same mean, rounding is all that is left.
    deviation = 0.0 if deviation <= 1e-12 else deviation
    centre = np.mean(permuted) if permuted else np.nan
    return Similarity(float(mean), float(centre), float(deviation), len(pairs), len(permuted))


def _each_once(pairs):
    """Pairs without order, none twice and none of an atom with itself."""
    pairs = np.unique(np.sort(pairs, axis=1), axis=0)
    return pairs[pairs[:, 0] != pairs[:, 1]]


def _scaled(pixels):
    """Atoms as float64 with a largest magnitude of 1, so that no square leaves its range."""
    pixels = np.asarray(pixels, np.float64)
    largest = np.abs(pixels).max(axis=1, keepdims=True)
    return pixels / np.where(largest > 0.0, largest, 1.0)
