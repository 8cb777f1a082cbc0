"""Similarity of atoms and their layout on a grid."""

import math

import numpy as np
import pytest

from ezdl_cli.experiments import topography

SIDE = 12


def gratings(angles, frequencies, phases):
    y, x = np.mgrid[:SIDE, :SIDE]
    return np.array(
        [
            np.cos(2 * np.pi * f * (x * np.cos(a) + y * np.sin(a)) + p).ravel()
            for a, f, p in zip(angles, frequencies, phases, strict=True)
        ]
    )


def ordered(grid=(8, 8)):
    """Gratings of random phase, with orientation by row and frequency by column."""
    rows, columns = np.indices(grid).reshape(2, -1)
    phases = np.random.default_rng(0).uniform(0, 2 * np.pi, rows.size)
    return gratings(np.pi * rows / grid[0], 0.1 + 0.3 * columns / grid[1], phases)


def test_spectra_are_invariant_to_phase_and_scale():
    atoms = gratings([0.4, 0.4], [0.25, 0.25], [0.0, 1.3]) * [[1.0], [1e200]]
    spectra = topography.power_spectra(atoms, SIDE)
    np.testing.assert_allclose(np.linalg.norm(spectra, axis=1), 1)
    assert spectra[0] @ spectra[1] > 0.99


def test_cosines_equal_those_of_full_spectra():
    atoms = np.random.default_rng(0).standard_normal((2, SIDE * SIDE))
    size = 2 * SIDE
    whole = np.abs(np.fft.fft2(atoms.reshape(2, SIDE, SIDE), (size, size))).reshape(2, -1) ** 2
    cosine = whole[0] @ whole[1] / np.prod(np.linalg.norm(whole, axis=1))
    spectra = topography.power_spectra(atoms, SIDE)
    assert spectra[0] @ spectra[1] == pytest.approx(cosine)


def test_ordered_grids_score_high_and_random_grids_do_not():
    spectra = topography.power_spectra(ordered(), SIDE)
    order = np.random.default_rng(1).permutation(64)
    for name in ("neighbours", "rows and columns"):
        pairs = topography.PAIRS[name]((8, 8))
        found = topography.similarity(spectra, pairs)
        assert found.score > 5 and found.mean > 1.3 * found.permuted_mean
        assert found.n_permutations == 200
        assert abs(topography.similarity(spectra[order], pairs).score) < 4


def test_all_pairs_do_not_depend_on_the_layout():
    spectra = topography.power_spectra(ordered(), SIDE)
    found = topography.similarity(spectra, topography.all_pairs((8, 8)))
    assert found.permuted_deviation == 0 and np.isnan(found.score)
    assert found.mean == pytest.approx(found.permuted_mean)
    cosines = spectra @ spectra.T
    assert found.mean == pytest.approx(cosines[~np.eye(64, dtype=bool)].mean())


def test_the_seed_determines_the_permutations():
    spectra = topography.power_spectra(ordered(), SIDE)
    pairs = topography.neighbours((8, 8))
    assert topography.similarity(spectra, pairs, 20, 3) == topography.similarity(
        spectra, pairs, 20, 3
    )
    assert topography.similarity(spectra, pairs, 20, 3) != topography.similarity(
        spectra, pairs, 20, 4
    )


def test_each_cell_of_a_toroidal_grid_has_eight_neighbours():
    pairs = topography.neighbours((5, 7))
    assert (np.bincount(pairs.ravel()) == 8).all()
    assert len({frozenset(pair) for pair in pairs.tolist()}) == len(pairs) == 4 * 35
    together = {frozenset(pair) for pair in pairs.tolist()}
    assert {frozenset({0, 6}), frozenset({0, 28}), frozenset({0, 34})} <= together


@pytest.mark.parametrize("grid", [(1, 1), (1, 2), (2, 2), (1, 5), (3, 1)])
def test_small_grids_have_distinct_pairs_of_different_atoms(grid):
    for pairs in topography.PAIRS.values():
        found = pairs(grid)
        assert (found[:, 0] != found[:, 1]).all()
        assert len({frozenset(pair) for pair in found.tolist()}) == len(found)
    spectra = topography.power_spectra(np.eye(math.prod(grid), 4), 2)
    found = topography.similarity(spectra, topography.neighbours(grid))
    assert np.isnan(found.mean) == (grid == (1, 1))


def test_rows_and_columns_have_all_their_pairs():
    pairs = topography.same_row_or_column((3, 4))
    assert len(pairs) == 3 * 6 + 4 * 3


def test_spectral_centroid_is_the_frequency_of_a_grating():
    y, x = np.mgrid[:SIDE, :SIDE]
    envelope = np.exp(-((x - 6) ** 2 + (y - 6) ** 2) / 8).ravel()
    atoms = gratings([0.3, 0.3], [0.15, 0.3], [0, 0]) * envelope
    low, high = topography.spectral_centroids(atoms, SIDE)
    assert low == pytest.approx(0.15, abs=0.03) and high == pytest.approx(0.3, abs=0.03)
    assert np.isnan(topography.spectral_centroids(np.zeros((1, 9)), 3)).all()


def test_rank_ratios_separate_rank_one_from_others():
    rng = np.random.default_rng(0)
    single = np.outer(rng.standard_normal(5), rng.standard_normal(5))
    atoms = np.array([single.ravel(), np.eye(5).ravel(), np.zeros(25)])
    ratios = topography.rank_ratios(atoms, 5)
    assert ratios[0] < 1e-12 and ratios[1] == pytest.approx(1) and np.isnan(ratios[2])
    assert topography.rank_ratios(np.ones((2, 1)), 1).tolist() == [0, 0]


def test_angles_to_the_nearest_axis():
    theta = np.radians([0, 5, 45, 88, 90, 100, 135, 179])
    found = np.degrees(topography.axis_angles(theta))
    np.testing.assert_allclose(found, [0, 5, 45, 2, 0, 10, 45, 1], atol=1e-9)
