"""Similarity of atoms, and how the layout on a grid groups similar atoms.

Atoms are compared by the cosine of their power spectra, which is invariant to phase and position:
neighbours in topographic dictionaries share frequency and orientation, not phase. A layout is
compared with random layouts of the same atoms.
"""

from dataclasses import dataclass

import numpy as np

PADDING = 2  # of the spectra, so that atoms do not wrap around
PEAK_PADDING = 8  # of the spectra whose peaks are located, to an eighth of a cycle per patch


@dataclass(frozen=True)
class Similarity:
    """Mean cosine of power spectra over pairs of atoms, and the same over random layouts."""

    mean: float
    permuted_mean: float
    permuted_deviation: float
    n_pairs: int
    n_permutations: int

    @property
    def score(self):
        """Standard deviations above the mean of random layouts; NaN if these all agree."""
        if not self.permuted_deviation > 0.0:
            return np.nan
        return (self.mean - self.permuted_mean) / self.permuted_deviation


def power_spectra(pixels, side):
    """Compute power spectra of atoms, zero-padded to twice the side, each of unit norm.

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
    # The inner columns represent their mirror images as well.
    spectra[:, :, 1 : -(-size // 2)] *= np.sqrt(2.0)
    spectra = spectra.reshape(len(atoms), -1)
    lengths = np.linalg.norm(spectra, axis=1, keepdims=True)
    return spectra / np.where(lengths > 0.0, lengths, 1.0)


def spectral_centroids(pixels, side):
    """Compute the power-weighted mean frequency of atoms in cycles per pixel; NaN for zeros."""
    size = PADDING * side
    atoms = _scaled(pixels).reshape(-1, side, side)
    power = np.square(np.abs(np.fft.fft2(atoms, (size, size)))).reshape(len(atoms), -1)
    along = np.fft.fftfreq(size)
    frequency = np.hypot(along[:, np.newaxis], along).ravel()
    total = power.sum(axis=1)
    return np.where(total > 0.0, power @ frequency / np.where(total > 0.0, total, 1.0), np.nan)


def spectral_peaks(pixels, side):
    """Locate the peaks of the power spectra of atoms, in cycles per pixel; NaN for zeros."""
    size = PEAK_PADDING * side
    atoms = _scaled(pixels).reshape(-1, side, side)
    frequency = np.hypot(np.fft.fftfreq(size)[:, np.newaxis], np.fft.rfftfreq(size)).ravel()
    peaks = np.full(len(atoms), np.nan)
    for i, atom in enumerate(atoms):
        if atom.any():
            peaks[i] = frequency[np.argmax(np.abs(np.fft.rfft2(atom, (size, size))))]
    return peaks


def rank_ratios(pixels, side):
    """Return the ratio of second to first singular value of atoms: 0 for rank 1, NaN for zeros."""
    values = np.linalg.svd(_scaled(pixels).reshape(-1, side, side), compute_uv=False)
    second = values[:, 1] if side > 1 else np.zeros(len(values))
    positive = values[:, 0] > 0.0
    return np.where(positive, second / np.where(positive, values[:, 0], 1.0), np.nan)


def axis_angles(theta):
    """Return the angle between orientations and the nearest axis, from 0 to π/4."""
    angle = np.mod(theta, np.pi / 2)
    return np.minimum(angle, np.pi / 2 - angle)


def neighbours(grid):
    """Return pairs of horizontal, vertical and diagonal neighbours on a toroidal grid.

    Returns
    -------
    array (n_pairs, 2) of int, each pair once
    """
    rows, columns = grid
    index = np.arange(rows * columns).reshape(rows, columns)
    shifts = ((0, 1), (1, 0), (1, 1), (1, -1))
    pairs = [
        np.stack([index, np.roll(index, (-down, -right), (0, 1))], axis=-1).reshape(-1, 2)
        for down, right in shifts
    ]
    return _each_once(np.concatenate(pairs))


def same_row_or_column(grid):
    """Return pairs of atoms in the same row or the same column, array (n_pairs, 2)."""
    rows, columns = grid
    first, second = np.triu_indices(rows * columns, 1)
    same = (first // columns == second // columns) | (first % columns == second % columns)
    return np.stack([first[same], second[same]], axis=-1)


def all_pairs(grid):
    """Return all pairs of atoms, array (n_pairs, 2)."""
    rows, columns = grid
    return np.stack(np.triu_indices(rows * columns, 1), axis=-1)


PAIRS = {
    "neighbours": neighbours,
    "rows and columns": same_row_or_column,
    "all pairs": all_pairs,
}


def similarity(spectra, pairs, n_permutations=200, seed=0):
    """Compare the mean cosine over pairs with random permutations of the atoms.

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
    return _compare_layouts(spectra @ spectra.T, pairs, n_permutations, seed)


def join_count(marked, pairs, n_permutations=200, seed=0):
    """Compare how many pairs have both atoms marked with random permutations of the atoms.

    Parameters
    ----------
    marked : array (n_atoms,) of bool
    pairs : array (n_pairs, 2)
    n_permutations : int
    seed : int

    Returns
    -------
    Similarity
        Its mean is the share of pairs that are joins.
    """
    marked = np.asarray(marked, float)
    return _compare_layouts(np.outer(marked, marked), pairs, n_permutations, seed)


def _compare_layouts(matrix, pairs, n_permutations, seed):
    """Compare the mean of a matrix over pairs with that over pairs of permuted atoms."""
    first, second = pairs.T
    mean = matrix[first, second].mean() if len(pairs) else np.nan
    rng = np.random.default_rng(seed)
    orders = (rng.permutation(len(matrix)) for _ in range(n_permutations if len(pairs) else 0))
    permuted = [matrix[order[first], order[second]].mean() for order in orders]
    deviation = np.std(permuted, ddof=1) if len(permuted) > 1 else np.nan
    # If all layouts have the same mean, only rounding errors remain.
    deviation = 0.0 if deviation <= 1e-12 else deviation
    centre = np.mean(permuted) if permuted else np.nan
    return Similarity(float(mean), float(centre), float(deviation), len(pairs), len(permuted))


def _each_once(pairs):
    """Return unordered pairs of different atoms, each once."""
    pairs = np.unique(np.sort(pairs, axis=1), axis=0)
    return pairs[pairs[:, 0] != pairs[:, 1]]


def _scaled(pixels):
    """Scale atoms to a largest magnitude of 1, so that squares neither overflow nor vanish."""
    pixels = np.asarray(pixels, np.float64)
    largest = np.abs(pixels).max(axis=1, keepdims=True)
    return pixels / np.where(largest > 0.0, largest, 1.0)
