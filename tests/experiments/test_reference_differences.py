"""Differences of the learners to ODL, compared with plain NumPy."""

import numpy as np
import pytest
from helpers.observations import all_learners, concatenated, denoised, evaluated
from scipy import stats

from ezdl_cli.experiments.bootstrap import Cells
from ezdl_cli.experiments.reference_differences import COLUMNS, with_differences
from ezdl_cli.experiments.summaries import SUMMARIES

N_IMAGES = 25


def cells(values, seeds, images=None):
    """Cells of an array (n_seeds, n_images)."""
    names = [f"{i:02}" for i in range(values.shape[1])] if images is None else images
    return Cells(values, tuple(seeds), tuple(names))


def measured(n_seeds, rng, hard):
    """Values (n_seeds, n_images) with effects of seeds, and of images that are hard for all."""
    seeds, images = rng.normal(0, 0.5, (n_seeds, 1)), rng.normal(0, 1, (1, hard.size))
    return hard + seeds + images


def compared(ours, odl):
    """The four columns of the difference of two quantities."""
    points = {"algorithm": np.array(["ezdl", "odl"]), "x": np.array([1.0, 1.0])}
    found = with_differences(points, [ours, odl], ("x",))
    assert all(np.isnan(found[name][1]) for name in COLUMNS)
    return [found[name][0] for name in COLUMNS]


@pytest.fixture
def rng():
    return np.random.default_rng(3)


def test_images_and_equal_seeds_are_paired(rng):
    hard = rng.normal(0, 100, N_IMAGES)
    ours, odl = (measured(20, rng, hard) for _ in range(2))
    value, error, low, high = compared(cells(ours, range(20)), cells(odl, range(20)))
    gaps = ours - odl
    variance = gaps.mean(axis=0).var(ddof=1) / N_IMAGES + gaps.mean(axis=1).var(ddof=1) / 20
    assert value == pytest.approx(gaps.mean())
    assert error == pytest.approx(np.sqrt(variance), rel=0.05)
    assert high - low == pytest.approx(2 * 1.96 * error, rel=0.06)


def test_different_seeds_are_independent(rng):
    hard = rng.normal(0, 100, N_IMAGES)
    ours, odl = measured(12, rng, hard), measured(15, rng, hard)
    value, error, _, _ = compared(cells(ours, range(12)), cells(odl, range(15)))
    per_image = ours.mean(axis=0) - odl.mean(axis=0)
    variance = per_image.var(ddof=1) / N_IMAGES
    variance += sum(one.mean(axis=1).var(ddof=1) / len(one) for one in (ours, odl))
    assert value == pytest.approx(per_image.mean())
    assert error == pytest.approx(np.sqrt(variance), rel=0.05)


def test_interval_of_few_images_is_that_of_student(rng):
    ours, odl = rng.normal(0, 1, (2, 1, 4))
    _, error, low, high = compared(cells(ours, (0,)), cells(odl, (0,)))
    expected = stats.ttest_1samp((ours - odl)[0], 0).confidence_interval(0.95)
    assert error == pytest.approx(stats.sem((ours - odl)[0]), rel=0.05)
    assert high - low == pytest.approx(expected.high - expected.low, rel=0.1)


def test_a_constant_difference_has_no_error(rng):
    ours = rng.normal(0, 1, (3, 5))
    found = compared(cells(ours + 0.25, range(3)), cells(ours, range(3)))
    np.testing.assert_allclose(found, [0.25, 0.0, 0.25, 0.25], atol=1e-12)


def test_only_shared_images_count_and_a_single_run_has_no_error():
    ours, odl = np.array([[3.0, 5.0]]), np.array([[1.0, 100.0]])
    found = compared(cells(ours, (0,), "ab"), cells(odl, (0,), "ac"))
    np.testing.assert_array_equal(found, [2.0, np.nan, np.nan, np.nan])
    found = compared(cells(ours, (0,), "ab"), cells(odl, (0,), "cd"))
    assert np.isnan(found).all()


def test_points_without_a_reference_have_no_difference():
    points = {"algorithm": np.array(["ezdl", "odl"]), "x": np.array([1.0, 2.0])}
    one = cells(np.eye(3), range(3))
    assert np.isnan(with_differences(points, [one, one], ("x",))["minus_odl"]).all()


def test_envelopes_compare_the_best_dictionaries():
    table = all_learners()
    summary = SUMMARIES["envelopes"].compute(table)
    for sigma_i in (0.5, 0.9):
        rows = (table["sigma_i"] == sigma_i) & (table["iterations"] == 100)
        means = {}
        for name, column, value in (("ezdl", "sigma_h", 0.99), ("odl", "lambda", 2.0)):
            chosen = rows & (table["algorithm"] == name) & (table[column] == value)
            means[name] = table["ssim"][chosen].mean()
        here = (summary["algorithm"] == "ezdl") & (summary["sigma_i"] == sigma_i)
        assert summary["minus_odl"][here] == pytest.approx(means["ezdl"] - means["odl"])
    assert np.isnan(summary["minus_odl"][summary["algorithm"] == "odl"]).all()
    assert np.isnan(SUMMARIES["envelopes"].compute(evaluated_alone())["minus_odl"]).all()


def evaluated_alone():
    """Observations of EZDL only."""
    table = evaluated()
    return table | {name: np.full(table["ssim"].size, "", object) for name in ("lambda", "zeta")}


def test_denoising_is_compared_by_the_same_rules():
    shifts = {("ezdl", "authors"): 0.5, ("odl", "authors"): 0.1, ("ezdl", "ezdl"): 3.0}
    shifts |= {("odl", "ezdl"): 2.0, ("rls-dla", "authors"): 0.0}
    tables = [denoised(name, shift, rules) for (name, rules), shift in shifts.items()]
    summary = SUMMARIES["denoising"].compute(concatenated(*tables))
    found = {
        (name, rules): value
        for name, rules, sigma, value in zip(
            *(summary[one] for one in ("algorithm", "rules", "sigma", "minus_odl")), strict=True
        )
        if sigma == 25.0
    }
    expected = {("ezdl", "authors"): 0.4, ("ezdl", "ezdl"): 1.0, ("rls-dla", "authors"): -0.1}
    assert {key: value for key, value in found.items() if key[0] != "odl"} == pytest.approx(
        expected
    )
