"""Summaries: means, their intervals and what they are computed over."""

import numpy as np
import pytest
from helpers.observations import all_learners, concatenated, denoised, evaluated, fitted, restored
from scipy import stats

from ezdl_cli.experiments.averages import mean_quality
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


def test_mean_is_over_seeds_and_images():
    point = at(summarise("ezdl", evaluated()), sigma_h=0.75, sigma_i=0.5)
    ssim = np.array(
        [[0.5 + 0.0075 + 0.1 * b + 0.02 * s - 0.05 + 0.001 for b in (0, 1)] for s in (0, 1)]
    )
    assert point["mean"] == pytest.approx(ssim.mean())
    assert point["n_seeds"] == 2 and point["n_images"] == 2 and point["measure"] == "ssim"


def test_intervals_are_those_of_the_distance_to_the_mean_of_all_curves():
    rng = np.random.default_rng(0)
    images = rng.normal(0, 10, 12)
    names, values = np.repeat(["a", "b"], 12), rng.normal(0, 0.1, 24)
    table = {"algorithm": names, "x": np.ones(24), "seed": np.zeros(24)}
    table |= {"image": np.tile([f"{i:02}" for i in range(12)], 2)}
    summary = mean_quality(table | {"q": values + np.tile(images, 2)}, "q", ("algorithm", "x"))
    half = stats.ttest_1samp((values[:12] - values[12:]) / 2, 0).confidence_interval(0.95)
    np.testing.assert_allclose(summary["high"] - summary["low"], half.high - half.low, rtol=0.1)
    np.testing.assert_allclose(summary["high"] + summary["low"], 2 * summary["mean"], atol=0.05)
    alone = {name: column[:12] for name, column in table.items()} | {"q": images}
    (low,), (high,) = (
        mean_quality(alone, "q", ("algorithm", "x"))[name] for name in ("low", "high")
    )
    half = stats.ttest_1samp(images, 0).confidence_interval(0.95)
    assert high - low == pytest.approx(half.high - half.low, rel=0.1)


def test_intervals_have_the_width_of_the_standard_error():
    rng = np.random.default_rng(0)
    seeds, images = np.repeat(np.arange(20.0), 30), np.tile([f"{i:02}" for i in range(30)], 20)
    order = rng.permutation(600)
    grid = rng.normal(0, 1, (20, 1)) + rng.normal(0, 2, (1, 30))
    table = {"algorithm": np.full(600, "x"), "seed": seeds[order], "image": images[order]}
    table["q"] = grid.ravel()[order]
    table["x"] = np.ones(600)
    point = mean_quality(table, "q", ("algorithm", "x"))
    assert point["mean"] == pytest.approx(grid.mean())
    variances = grid.mean(axis=1).var(ddof=1) / 20 + grid.mean(axis=0).var(ddof=1) / 30
    assert point["high"] - point["low"] == pytest.approx(2 * 1.96 * np.sqrt(variances), rel=0.05)


def test_a_single_run_has_no_interval():
    table = evaluated(seeds=(0,))
    alone = {name: column[table["image"] == "a"] for name, column in table.items()}
    summary = summarise("ezdl", alone)
    assert np.isnan(summary["low"]).all() and np.isnan(summary["high"]).all()
    assert (summary["n_seeds"] == 1).all() and (summary["n_images"] == 1).all()
    assert not np.isnan(summarise("ezdl", table)["low"]).any()


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


def test_gain_over_the_baseline_is_averaged_for_each_task():
    both = concatenated(restored("ezdl", 1.0), restored("odl", 0.5))
    for task, settings in (("super-resolution", [2, 3]), ("inpainting", [50, 80])):
        summary = summarise(task, both)
        assert list(summary["setting"]) == settings * 2 and set(summary["task"]) == {task}
        np.testing.assert_allclose(summary["mean"], [1.05, 1.05, 0.55, 0.55])
        np.testing.assert_allclose(summary["minus_odl"], [0.5, 0.5, np.nan, np.nan])
    one = {name: column[both["task"] == "inpainting"] for name, column in both.items()}
    with pytest.raises(ValueError, match="no rows"):
        summarise("deblurring", one)


def test_an_image_that_is_restored_exactly_has_a_finite_gain():
    table = restored("ezdl", 1.0)
    table["psnr"][:] = table["psnr_baseline"][::2] = np.inf
    assert np.isfinite(summarise("inpainting", table)["mean"]).all()


def test_different_noise_levels_of_blurred_images_are_not_averaged():
    table = restored("ezdl", 1.0)
    table["sigma"][table["image"] == "b"] *= 2
    with pytest.raises(ValueError, match="column sigma"):
        summarise("deblurring", table)


def test_denoising_rules_are_summarised_separately():
    both = concatenated(denoised("ezdl", 1.0, "ezdl"), denoised("ezdl", 0.0, "authors"))
    summary = summarise("denoising", both)
    assert list(summary["rules"]) == ["authors", "authors", "ezdl", "ezdl"]
    np.testing.assert_allclose(summary["mean"], [41.0, 36.5, 42.0, 37.5])


def test_gabor_means_are_over_accepted_fits_and_errors_over_seeds():
    summary = summarise("gabor", fitted())
    point = at(summary, parameter="f", sigma_h=0.75)
    assert point["mean"] == pytest.approx(0.5 - 0.3 + 0.01)
    expected = stats.ttest_1samp([0.2, 0.21, 0.22], 0).confidence_interval(0.95)
    assert (point["low"], point["high"]) == pytest.approx(expected, rel=0.1)
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


def test_intervals_of_shares_are_shares():
    table = fitted()
    odd = (table["seed"] == 0) & (np.arange(table["seed"].size) % 2 == 0)
    table["phi"] = np.where(odd, 0.01, 1.5)
    summary = summarise("phases", table)
    assert (summary["low"] >= 0.0).all() and (summary["high"] <= 1.0).all()
    assert (summary["low"] <= summary["share"]).all() and summary["low"].min() == 0.0


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
