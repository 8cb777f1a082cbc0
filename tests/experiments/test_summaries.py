"""Summaries: means, standard errors and what they are computed over."""

import numpy as np
import pytest
from helpers.observations import all_learners, concatenated, denoised, evaluated, fitted

from ezdl_cli.experiments.standard_errors import mean_quality
from ezdl_cli.experiments.summaries import SUMMARIES


def summarise(name, table):
    return SUMMARIES[name].compute(table)


def at(summary, **parameters):
    """The only row of a summary with these parameters."""
    rows = np.ones(len(next(iter(summary.values()))), bool)
    for name, value in parameters.items():
        rows &= summary[name] == value
    assert rows.sum() == 1
    return {name: column[rows][0] for name, column in summary.items()}


def test_mean_and_standard_errors_over_seeds_and_images():
    point = at(summarise("ezdl", evaluated()), sigma_h=0.75, sigma_i=0.5)
    ssim = np.array(
        [[0.5 + 0.0075 + 0.1 * b + 0.02 * s - 0.05 + 0.001 for b in (0, 1)] for s in (0, 1)]
    )
    assert point["mean"] == pytest.approx(ssim.mean())
    assert point["stderr_seeds"] == pytest.approx(ssim.mean(axis=1).std(ddof=1) / np.sqrt(2))
    assert point["stderr_images"] == pytest.approx(ssim.mean(axis=0).std(ddof=1) / np.sqrt(2))
    assert point["n_seeds"] == 2 and point["n_images"] == 2 and point["measure"] == "ssim"


def test_standard_errors_agree_with_a_direct_computation():
    rng = np.random.default_rng(0)
    seeds, images = np.repeat(np.arange(5.0), 7), np.tile(list("abcdefg"), 5)
    order = rng.permutation(35)
    table = {"algorithm": np.full(35, "x"), "seed": seeds[order], "image": images[order]}
    table["q"] = rng.standard_normal(35)
    point = mean_quality(table, "q", ("algorithm",))
    grid = np.empty((5, 7))
    grid[table["seed"].astype(int), [ord(name) - ord("a") for name in table["image"]]] = table["q"]
    assert point["mean"] == pytest.approx(grid.mean())
    assert point["stderr_seeds"] == pytest.approx(grid.mean(axis=1).std(ddof=1) / np.sqrt(5))
    assert point["stderr_images"] == pytest.approx(grid.mean(axis=0).std(ddof=1) / np.sqrt(7))


def test_a_single_seed_has_no_standard_error():
    summary = summarise("ezdl", evaluated(seeds=(0,)))
    assert np.isnan(summary["stderr_seeds"]).all() and (summary["n_seeds"] == 1).all()
    assert not np.isnan(summary["stderr_images"]).any()


def test_only_converged_codes_count_except_for_the_figure_of_iterations():
    converged = summarise("ezdl", evaluated(iterations=(100,)))
    np.testing.assert_array_equal(summarise("ezdl", evaluated())["mean"], converged["mean"])
    assert set(summarise("iterations", evaluated())["iterations"]) == {10, 100}


def test_points_are_sorted_by_their_parameters():
    shuffled = evaluated(parameters=(16.0, 4.0, 8.0), algorithm="rls-dla")
    summary = summarise("rls-dla", shuffled)
    pairs = list(zip(summary["zeta"].tolist(), summary["sigma_i"].tolist(), strict=True))
    assert pairs == sorted(pairs) and len(pairs) == 6


def test_envelope_is_the_best_parameter_of_each_learner():
    summary = summarise("envelopes", all_learners())
    assert list(summary["algorithm"]) == ["ezdl"] * 2 + ["odl"] * 2 + ["rls-dla"] * 2
    best = [summary[name][2 * i] for i, name in enumerate(("sigma_h", "lambda", "zeta"))]
    assert best == [0.99, 2.0, 8.0]
    assert np.isnan(summary["lambda"][0]) and np.isnan(summary["sigma_h"][2])


def test_envelopes_leave_out_learners_without_rows_and_unknown_ones():
    alone = evaluated()
    alone["lambda"] = alone["zeta"] = np.full(alone["ssim"].size, "", dtype=object)
    assert set(summarise("envelopes", alone)["algorithm"]) == {"ezdl"}
    alone["algorithm"][:] = "svd"
    with pytest.raises(ValueError, match="no rows"):
        summarise("envelopes", alone)


def test_history_has_points_for_each_step_size_and_epoch():
    smaller = evaluated()
    smaller["eta0"][:] = 0.25
    summary = summarise("history", concatenated(all_learners(), smaller))
    curves = zip(summary["algorithm"].tolist(), summary["eta0"].tolist(), strict=True)
    assert [str(curve) for curve in dict.fromkeys(map(str, curves))] == [
        "('ezdl', 0.25)",
        "('ezdl', 1.0)",
        "('odl', nan)",
        "('rls-dla', nan)",
    ]
    assert set(summary["epoch"]) == {5, 20}


def test_each_learner_is_summarised_alone():
    alone = summarise("odl", evaluated("odl", (0.5, 2.0)))
    np.testing.assert_array_equal(summarise("odl", all_learners())["mean"], alone["mean"])
    for name in ("iterations", "rls-dla"):
        with pytest.raises(ValueError, match="no rows"):
            summarise(name, evaluated("odl", (0.5,)))


def test_denoising_is_averaged_over_noisy_versions():
    summary = summarise("denoising", concatenated(denoised("ezdl", 1.0), denoised("odl", 0.0)))
    assert list(summary["algorithm"]) == ["ezdl", "ezdl", "odl", "odl"]
    np.testing.assert_allclose(summary["mean"], [42.0, 37.5, 41.0, 36.5])
    assert (summary["n_images"] == 2).all()


def test_gabor_means_are_over_accepted_fits_and_errors_over_seeds():
    summary = summarise("gabor", fitted())
    point = at(summary, parameter="f", sigma_h=0.75)
    assert point["mean"] == pytest.approx(0.5 - 0.3 + 0.01)
    assert point["stderr_seeds"] == pytest.approx(0.01 / np.sqrt(3))
    assert point["n_seeds"] == 3 and point["n_atoms"] == 3 * 36
    widths = summary["mean"][summary["parameter"] == "sigma_y"]
    np.testing.assert_allclose(widths, [5.7, 5.9, 6.86])
    assert len(summary["mean"]) == 9


def test_shares_of_phases_sum_to_one():
    summary = summarise("phases", fitted())
    assert list(dict.fromkeys(summary["sigma_h"])) == [0.75, 0.99]
    for value in (0.75, 0.99):
        rows = summary["sigma_h"] == value
        assert rows.sum() == 8 and summary["share"][rows].sum() == pytest.approx(1)
        np.testing.assert_allclose(summary["start"][rows][1:], summary["end"][rows][:-1])
    assert summary["end"].max() == pytest.approx(np.pi / 2)


def test_phases_at_the_limits_are_in_the_first_and_last_bin():
    table = fitted((0.75,), (0,), 10)
    table["phi"] = np.array([0.0] * 4 + [np.pi / 2] * 6)
    share = summarise("phases", table)["share"]
    np.testing.assert_allclose(share, [4 / 9, 0, 0, 0, 0, 0, 0, 5 / 9])


@pytest.mark.parametrize("name", ["gabor", "phases"])
def test_tables_without_accepted_fits_are_refused(name):
    table = fitted()
    table["reason"][:] = "poor fit"
    with pytest.raises(ValueError, match="no rows"):
        summarise(name, table)
    table = fitted()
    table["sigma_h"][:] = np.nan
    with pytest.raises(ValueError, match="no rows"):
        summarise(name, table)


def test_phases_of_other_dictionaries_are_refused():
    with pytest.raises(ValueError, match="no rows"):
        summarise("phases", fitted((0.8,)))


def test_atoms_have_one_row_per_dictionary():
    summary = summarise("atoms", fitted((0.75, 0.99), (0, 1)))
    assert list(zip(summary["sigma_h"], summary["seed"], strict=True)) == [
        (0.75, 0),
        (0.75, 1),
        (0.99, 0),
        (0.99, 1),
    ]
    np.testing.assert_allclose(summary["median_r2"], [0.9, 0.8, 0.9, 0.8])
    assert (summary["n_atoms"] == 40).all() and (summary["n_accepted"] == 36).all()
    # Widths of 5.0 and more count as the side of the patch, 5.
    np.testing.assert_allclose(summary["mean_capped_sigma_x"], 5.0)
    np.testing.assert_allclose(summary["max_rank_ratio"], 0.5)


def test_share_of_paraxial_atoms_counts_checkerboards_and_leaves_out_failed_fits():
    table = fitted((0.75,), (0,), 10)
    table["axis_angle"] = np.radians([0, 5, 9.9, 10.1, 45, 45, np.nan, np.nan, 45, np.nan])
    table["reason"] = np.array([""] * 7 + ["checkerboard", "", "several blobs"])
    # Parallel: three atoms and one checkerboard; with a fit or a checkerboard: eight.
    assert summarise("atoms", table)["share_paraxial"] == pytest.approx([4 / 8])


def test_models_without_accepted_fits_have_no_mean_frequency():
    table = fitted((0.75,), (0,))
    table["reason"][:] = "poor fit"
    assert np.isnan(summarise("atoms", table)["mean_f"]).all()


def test_resemblance_is_the_median_over_atoms_of_each_seed_and_epoch():
    table = {
        "seed": np.repeat([0.0, 1.0], 6),
        "epoch": np.tile(np.repeat([0.0, 1.0], 3), 2),
        "cosine": np.array([0.1, 0.2, 0.9, 0.5, 0.6, 0.7] * 2),
        "shuffled_cosine": np.array([0.3, 0.1, 0.2] * 4),
    }
    summary = summarise("resemblance", table)
    np.testing.assert_allclose(summary["median_cosine"], [0.2, 0.6, 0.2, 0.6])
    np.testing.assert_allclose(summary["min_cosine"], [0.1, 0.5, 0.1, 0.5])
    np.testing.assert_allclose(summary["median_shuffled"], 0.2)


def test_layout_has_the_model_and_the_scores_of_each_kind_of_pairs():
    table = {
        "dictionary": np.array(["d.npz"] * 2, dtype=object),
        "sigma_h": np.array([0.85, 0.85]),
        "inference": np.array(["rank"] * 2, dtype=object),
        "atom_rank": np.array([""] * 2, dtype=object),
        "whitened": np.array([1.0, 1.0]),
        "seed": np.array([3.0, 3.0]),
        "pairs": np.array(["neighbours", "all pairs"], dtype=object),
        "similarity": np.array([0.6, 0.3]),
        "score": np.array([12.0, np.nan]),
    }
    summary = summarise("layout", table)
    assert list(summary)[-3:] == ["pairs", "similarity", "score"] and "dictionary" not in summary
    assert np.isnan(summary["atom_rank"]).all()
    np.testing.assert_array_equal(summary["score"], table["score"])
