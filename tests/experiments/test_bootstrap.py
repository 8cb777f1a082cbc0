"""Confidence intervals over seeds and images."""

import numpy as np
import pytest
from scipy import stats

from ezdl_cli.experiments.bootstrap import (
    Cells,
    Estimate,
    contrast,
    limit_outlying,
    mean_of_vectors,
    statistic_of_means,
    statistic_of_vector_means,
)


def cells(values, seeds=None):
    """Cells of an array with one row per seed and one column per image."""
    values = np.asarray(values, float)
    seeds = range(len(values)) if seeds is None else seeds
    images = [f"image {i:02}" for i in range(values.shape[1])]
    return Cells(values, tuple(seeds), tuple(images))


def first(means):
    return means[:, 0]


def test_interval_over_images_equals_the_bootstrap_of_scipy():
    values = np.random.default_rng(0).normal(3.0, 1.0, 200)
    reference = stats.bootstrap(
        (values,), np.mean, method="percentile", n_resamples=20_000, random_state=1
    ).confidence_interval
    found = statistic_of_means(first, [cells([values])])
    assert found.value == pytest.approx(values.mean())
    assert found.low == pytest.approx(reference.low, abs=0.01)
    assert found.high == pytest.approx(reference.high, abs=0.01)
    assert found.units == {"seeds": 1, "images": 200}


@pytest.mark.parametrize("n", [3, 5, 10, 30])
def test_interval_over_few_images_has_the_width_of_student(n):
    values = np.random.default_rng(n).normal(3.0, 1.0, n)
    low, high = stats.ttest_1samp(values, 0).confidence_interval(0.95)
    found = statistic_of_means(first, [cells([values])])
    assert found.high - found.low == pytest.approx(high - low, rel=0.15)


@pytest.mark.parametrize(
    ("n_seeds", "n_images", "seeds", "images", "noise"),
    [
        *((3, 10, 1.0, 1.0, 1.0), (3, 10, 1.0, 0.0, 0.1), (2, 10, 1.0, 0.3, 0.3)),
        *((5, 5, 0.0, 1.0, 0.1), (2, 5, 0.0, 0.0, 1.0), (8, 25, 0.5, 1.0, 0.3)),
    ],
)
def test_interval_contains_the_mean_of_the_population_in_most_samples(
    n_seeds, n_images, seeds, images, noise
):
    rng = np.random.default_rng(0)
    hits = 0
    for _ in range(150):
        values = seeds * rng.normal(size=(n_seeds, 1)) + images * rng.normal(size=(1, n_images))
        found = contrast([cells(values + noise * rng.normal(size=(n_seeds, n_images)))], [1])
        hits += found.low <= 0.0 <= found.high
    assert hits / 150 > 0.85


def test_differences_are_paired():
    rng = np.random.default_rng(0)
    images = rng.normal(0, 10, 12)
    first, second = images + rng.normal(0.1, 0.01, (3, 12)), images + rng.normal(0, 0.01, (3, 12))
    found = contrast([cells(first), cells(second)], [1, -1])
    assert 0.08 < found.low < 0.1 < found.high < 0.12
    assert contrast([cells(first)], [1]).low < -1


def test_cells_with_other_seeds_are_paired_over_images_only():
    values = np.random.default_rng(0).normal(0, 1, (3, 12))
    same = contrast([cells(values), cells(values)], [1, -1])
    assert same.low == same.high == 0.0
    other = contrast([cells(values), cells(values, seeds=(7, 8, 9))], [1, -1])
    assert other.value == 0.0 and other.low < 0.0 < other.high
    fewer = contrast([cells(values), cells(values[:2])], [1, -1])
    assert fewer.units == {"seeds": 2, "images": 12}


def test_only_images_that_all_have_count():
    known, more = cells([[1.0, 2.0]]), cells([[0.0, 0.0, 100.0]])
    assert contrast([known, more], [1, -1]).value == pytest.approx(1.5)
    with pytest.raises(ValueError, match="different images"):
        contrast([known, Cells(np.ones((1, 1)), (0,), ("other",))], [1, -1])


def test_repeated_measurements_of_a_cell_are_averaged_and_gaps_left_out():
    found = Cells.of(
        np.array([1.0, 3.0, 5.0, 7.0, 9.0]), np.array([0, 0, 0, 1, 1]), ["a", "a", "b", "a", "c"]
    )
    assert found.images == ("a",) and found.values.tolist() == [[2.0], [7.0]]
    with pytest.raises(ValueError, match="no image"):
        Cells.of(np.array([1.0, 2.0]), np.array([0, 1]), ["a", "b"])


@pytest.mark.parametrize("size", [1.0, 100.0])
def test_one_outlying_image_has_limited_influence(size):
    values = np.random.default_rng(0).normal(1.0, 0.1, (2, 20))
    plain = contrast([cells(values)], [1])
    values[:, 7] -= size
    found = contrast([cells(values)], [1])
    assert "image 07" in found.outlying and "image 07" not in plain.outlying
    assert found.low > 0.8 and abs(found.value - plain.value) < 0.05


@pytest.mark.parametrize("size", [1.0, 100.0])
def test_one_outlying_cell_has_limited_influence(size):
    values = np.random.default_rng(0).normal(1.0, 0.1, (3, 8))
    plain = contrast([cells(values)], [1])
    values[1, 5] -= size
    found = contrast([cells(values)], [1])
    assert found.value == pytest.approx(plain.value, abs=0.05)
    assert found.high - found.low < 2 * (plain.high - plain.low)


def test_a_seed_that_differs_in_all_images_is_not_outlying():
    values = np.random.default_rng(0).normal(1.0, 0.01, (5, 20))
    values[2] -= 0.5
    found = contrast([cells(values)], [1])
    assert found.value == pytest.approx(0.9, abs=0.01)
    assert found.low < 0.7 and found.high > 1.0


def test_rounding_errors_do_not_hide_an_outlying_image():
    first = np.full((3, 8), 0.7) + np.arange(8) / 10
    second = first - 0.1 + 1e-16 * np.random.default_rng(0).normal(size=(3, 8))
    second[:, 3] += 5.0
    found = contrast([cells(first), cells(second)], [1, -1])
    assert found.low == pytest.approx(0.1) and found.outlying == ("image 03",)


@pytest.mark.parametrize(("n_images", "n_others"), [(5, 2), (10, 4), (20, 8), (20, 3)])
def test_a_minority_of_images_is_part_of_what_is_measured(n_images, n_others):
    values = np.random.default_rng(0).normal(0.0, 0.01, (2, n_images))
    values[:, :n_others] += 2.0
    found = contrast([cells(values)], [1])
    assert found.value == pytest.approx(2 * n_others / n_images, abs=0.02)
    assert found.outlying == ()


def test_few_images_are_never_outlying():
    assert contrast([cells([[1.0, 50.0, 1.05]])], [1]).value == pytest.approx(52.05 / 3)


def test_images_that_are_outlying_in_one_of_several_quantities_are_limited():
    rng = np.random.default_rng(0)
    images = rng.normal(0, 5, 10)
    values = [images + level + rng.normal(0, 0.01, (2, 10)) for level in range(5)]
    values[3][:, 4] -= 100
    limited = limit_outlying([cells(one) for one in values])
    np.testing.assert_allclose(
        [one.mean for one in limited], np.arange(5) + images.mean(), atol=0.02
    )
    unchanged = np.delete(np.arange(5), 3)
    for i in unchanged:
        np.testing.assert_allclose(limited[i].values, values[i], atol=0.03)


def test_interval_contains_the_estimate_even_if_replicates_are_biased():
    values = np.random.default_rng(0).normal(0, 1, (3, 5))
    found = statistic_of_means(lambda means: -np.abs(means).sum(axis=1), [cells(0 * values)])
    assert found.low == found.value == found.high == 0.0
    ones = [cells(values - values.mean()), cells(values - values.mean())]
    found = statistic_of_means(lambda means: -np.square(means).sum(axis=1), ones)
    assert found.low < -1e-3 and found.high == pytest.approx(found.value, abs=1e-3)


def test_a_single_run_has_no_interval():
    assert contrast([cells([[2.0]])], [1]) == Estimate(2.0, units={"seeds": 1, "images": 1})
    assert statistic_of_means(first, [cells([[2.0]])]).low is None
    assert mean_of_vectors(2.0, np.nan, 1) == Estimate(2.0)


def test_the_same_measurements_give_the_same_interval():
    values = np.random.default_rng(0).normal(0, 1, (3, 9))
    assert contrast([cells(values)], [1]) == contrast([cells(values)], [1])


def test_means_of_vectors_have_the_interval_of_student():
    values = np.random.default_rng(0).normal(5, 2, 30)
    found = mean_of_vectors(values.mean(), values.std(ddof=1), 30)
    low, high = stats.ttest_1samp(values, 0).confidence_interval(0.95)
    assert (found.low, found.high) == pytest.approx((low, high))
    other = statistic_of_vector_means(first, [values.mean()], [values.std(ddof=1)], [30])
    assert (other.low, other.high) == pytest.approx((low, high), abs=0.05)
