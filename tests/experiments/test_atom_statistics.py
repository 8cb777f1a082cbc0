"""Statistics of the atoms of a dictionary."""

import numpy as np
import pytest
from helpers.observations import fitted

from ezdl_cli.experiments import atom_statistics as atoms


def test_statistics_of_fits_leave_out_rejected_ones():
    table = fitted((0.75,), (0,), 10)
    table["f"] = np.arange(10.0)
    table["reason"] = np.array([""] * 3 + ["poor fit"] * 7)
    assert atoms.mean_of("f")(table) == 1.0 and atoms.median_of("f")(table) == 1.0


def test_widths_beyond_the_patch_count_as_its_side():
    table = fitted((0.75,), (0,), 4)
    table["reason"][:] = ""
    table["side"][:] = 8.0
    table["sigma_x"] = np.array([2.0, 4.0, 8.0, 1000.0])
    table["sigma_y"] = np.array([1.0, 9.0, 1.0, 1.0])
    assert atoms.capped_mean_of("sigma_x")(table) == 5.5
    assert atoms.share_beyond_patch(table) == 0.75


def test_share_of_paraxial_atoms_counts_checkerboards_and_leaves_out_failed_fits():
    table = fitted((0.75,), (0,), 10)
    table["axis_angle"] = np.radians([0, 5, 9.9, 10.1, 45, 45, np.nan, np.nan, 45, np.nan])
    table["reason"] = np.array([""] * 7 + ["checkerboard", "", "several blobs"])
    # Parallel: three atoms and one checkerboard; with a fit or a checkerboard: eight.
    assert atoms.share_paraxial(table) == pytest.approx(4 / 8)
    assert atoms.share_checkerboards(table) == pytest.approx(1 / 10)


def test_low_frequencies_have_at_most_one_cycle_per_patch():
    rows = {"spectral_peak": np.array([0.05, 1 / 16, 0.07, 0.5]), "side": np.full(4, 16.0)}
    assert atoms.share_low("spectral_peak")(rows) == 0.5


def test_shares_of_phases_add_up_to_one():
    phi = np.random.default_rng(0).uniform(0.0, np.pi / 2, 1000)
    rows = {"phi": np.append(phi, [0.0, np.pi / 2, np.nan]), "reason": np.full(1003, "")}
    shares = [atoms.share_of_phases(i)(rows) for i in range(atoms.N_PHASE_BINS)]
    assert sum(shares) == pytest.approx(1.0)
    expected, _ = np.histogram(rows["phi"][:-1], 8, (0.0, np.pi / 2))
    assert shares == pytest.approx(expected / 1002)
