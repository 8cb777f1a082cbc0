"""Batches of float32 rows, compared with a reference in extended precision on hard rows."""

import numpy as np
import pytest
from helpers.projection_references import project_by_sorting

import ezdl_cli as ez

EPS = float(np.finfo(np.float32).eps)
SIZES = (33, 64, 100, 256, 1000, 4096)


def hard_rows(n, random):
    """Return rows of float32 that are difficult for a search in single precision."""
    normal = random.standard_normal(n)
    levels = random.integers(1, 5, n).astype(float)
    one_step = 1.0 - EPS * random.integers(0, 3, n)
    spikes = np.where(np.arange(n) % (n // 4) == 0, 5.0 + 0.1 * normal, 0.01 * normal)
    rows = {
        "normal": normal,
        "heavy-tailed": normal / random.random(n),
        "ties": levels,
        "near ties": levels + EPS * random.integers(0, 9, n),
        "differences of one unit in the last place": np.where(levels > 1, one_step, 0.1),
        "large": normal * 1e37,
        "overflowing squares": normal * 1e25,
        "underflowing squares": normal * 1e-25,
        "subnormal": random.integers(1, 2000, n) * 1.4e-45,
        "wide range": normal * 10.0 ** random.integers(-30, 1, n),
        "sparse already": spikes,
        "many zeros": np.where(random.random(n) < 0.9, 0.0, normal),
    }
    return {name: row.astype(np.float32) for name, row in rows.items()}


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("sparseness", [0.2, 0.6, 0.9, 0.97])
def test_hard_rows_agree_with_an_exact_reference(n, sparseness):
    rows = hard_rows(n, np.random.default_rng(n))
    found = ez.project(np.array(list(rows.values())), sparseness, norm=1.0)
    k2 = (np.sqrt(n) - sparseness * (np.sqrt(n) - 1)) ** 2
    for (name, row), p in zip(rows.items(), found, strict=True):
        largest = np.abs(row).max()
        if (np.abs(row) == largest).sum() >= k2:  # not unique
            assert set(np.flatnonzero(p)) <= set(np.flatnonzero(np.abs(row) == largest))
            continue
        expected = project_by_sorting(row, sparseness, norm=1.0).astype(float)
        np.testing.assert_allclose(p, expected, rtol=2 * EPS, atol=1e-13, err_msg=name)


@pytest.mark.parametrize("n", SIZES)
def test_support_is_exact(n):
    x = np.random.default_rng(n).standard_normal((40, n)).astype(np.float32)
    for sparseness in (0.5, 0.9):
        for row, p in zip(x, ez.project(x, sparseness, norm=1.0), strict=True):
            expected = project_by_sorting(row, sparseness, norm=1.0)
            np.testing.assert_array_equal(p != 0.0, expected.astype(np.float32) != 0.0)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("n", SIZES)
def test_rows_that_are_not_finite_are_rejected(bad, n):
    x = np.random.default_rng(0).standard_normal((70, n)).astype(np.float32)
    for position in (0, n // 2, n - 1):
        y = x.copy()
        y[65, position] = bad
        with pytest.raises(ValueError, match=r"row 65 has an entry that is not finite"):
            ez.project(y, 0.9, norm=1.0)


def test_zero_rows_of_a_batch_are_rejected_or_spread():
    x = np.random.default_rng(0).standard_normal((70, 256)).astype(np.float32)
    x[3] = 0.0
    with pytest.raises(ValueError, match="row 3 is zero"):
        ez.project(x, 0.9)
    assert np.linalg.norm(ez.project(x, 0.9, norm=1.0)[3]) == pytest.approx(1.0)
