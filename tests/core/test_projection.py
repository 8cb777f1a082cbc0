"""The projection, compared with independent references, and its properties."""

import numpy as np
import pytest
from helpers.projection_references import (
    distributions,
    project_by_optimiser,
    project_by_sorting,
    sigma,
)
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import ezdl_cli as ez
from ezdl_cli.core.projection import SOLVERS

SIZES = (2, 3, 4, 7, 31, 64, 65, 200, 1000, 4097)
SPARSENESS_VALUES = (0.05, 0.5, 0.9, 0.99)


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("sparseness", SPARSENESS_VALUES)
def test_projection_agrees_with_an_exact_reference(n, sparseness):
    for name, x in distributions(n, np.random.default_rng(n)).items():
        x = x.astype(float)
        expected = project_by_sorting(x, sparseness, norm=1.0).astype(float)
        p = ez.project(x, sparseness, norm=1.0)
        assert abs(sigma(p) - sparseness) < 1e-12, name
        assert np.linalg.norm(p) == pytest.approx(1.0, abs=1e-14), name
        np.testing.assert_allclose(p, expected, atol=1e-10, err_msg=name)


@pytest.mark.parametrize("exponent", [17, 18, 19])
@pytest.mark.parametrize("kind", ["uniform", "normal", "heavy-tailed", "integers", "sorted"])
def test_long_vectors_agree_with_an_exact_reference(exponent, kind):
    random = np.random.default_rng(exponent)
    n = (1 << exponent) + 77
    vectors = {"sorted": np.sort(random.random(n)), **distributions(n, random)}
    x = vectors[kind].astype(float)
    for sparseness in (0.6, 0.9, 0.999):
        p = ez.project(x, sparseness, norm=1.0)
        assert abs(sigma(p) - sparseness) < 1e-12
        expected = project_by_sorting(x, sparseness, norm=1.0)
        assert np.abs(p - expected).max() < 1e-10 * np.abs(expected).max()


def test_millions_of_entries_agree_with_an_exact_reference():
    x = np.random.default_rng(0).random((1 << 21) + 1)
    expected = project_by_sorting(x, 0.9, norm=1.0)
    assert np.abs(ez.project(x, 0.9, norm=1.0) - expected).max() < 1e-10 * expected.max()


@pytest.mark.parametrize("n", [300, 1 << 19])
def test_vectors_with_periodic_structure_are_projected_exactly(n):
    """A subsample of blocks is misleading here: the search must detect that."""
    index = np.arange(n)
    patterns = {
        "every 16th block": 1.0 + (index // 128 % 16 == 0) * np.cos(index),
        "large entries at the start": np.where(
            index < n // 500 + 3, 5.0 + np.sin(index), np.cos(index) ** 2
        ),
        "slow wave": np.sin(index * 2e-4) + 1e-3 * np.cos(index),
    }
    for name, x in patterns.items():
        p = ez.project(x, 0.9, norm=1.0)
        np.testing.assert_allclose(
            p, project_by_sorting(x, 0.9, norm=1.0).astype(float), atol=1e-11, err_msg=name
        )


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("norm", [None, 1.0, 1e-3])
def test_all_solvers_find_the_same_point(solver, norm):
    random = np.random.default_rng(3)
    for n in (2, 5, 64, 65, 1000):
        for name, x in distributions(n, random).items():
            for sparseness in SPARSENESS_VALUES:
                expected = ez.project(x, sparseness, norm=norm)
                p = ez.project(x, sparseness, norm=norm, solver=solver)
                scale = np.abs(expected).max()
                np.testing.assert_allclose(p, expected, atol=1e-9 * scale, err_msg=name)


@pytest.mark.parametrize("sparseness", [0.3, 0.6, 0.9])
def test_general_optimiser_finds_no_nearer_point(sparseness):
    random = np.random.default_rng(7)
    for _ in range(5):
        x = random.standard_normal(9)
        p = ez.project(x, sparseness, norm=1.5)
        other = project_by_optimiser(x, sparseness, 1.5)
        assert abs(sigma(other) - sparseness) < 1e-6  # a feasible point
        assert np.linalg.norm(x - p) <= np.linalg.norm(x - other) + 1e-7


def test_no_random_point_of_the_target_sparseness_is_nearer():
    random = np.random.default_rng(11)
    x = random.standard_normal(6)
    p = ez.project(x, 0.7)
    others = ez.project(x + random.standard_normal((20000, 6)) * 0.3, 0.7)
    scaled = others * random.uniform(0.5, 1.5, (20000, 1))
    assert np.linalg.norm(x - p) <= np.linalg.norm(x - scaled, axis=1).min() + 1e-12


def test_projection_without_norm_has_the_optimal_norm():
    x = np.random.default_rng(5).standard_normal(50)
    p = ez.project(x, 0.8)
    for norm in np.linalg.norm(p) * np.array([0.999, 1.001]):
        assert np.linalg.norm(x - p) < np.linalg.norm(x - ez.project(x, 0.8, norm=norm))


ENTRIES = st.floats(-1e3, 1e3, width=64).map(lambda value: round(value, 3))
VECTORS = hnp.arrays(np.float64, st.integers(2, 90), elements=ENTRIES).filter(np.any)
INNER_SPARSENESS = st.floats(0.01, 0.99)


@given(VECTORS, INNER_SPARSENESS)
def test_projection_has_the_target_sparseness_and_norm(x, sparseness):
    p = ez.project(x, sparseness, norm=2.0)
    assert abs(sigma(p) - sparseness) < 1e-12
    assert np.linalg.norm(p) == pytest.approx(2.0, rel=1e-13)


@given(VECTORS, INNER_SPARSENESS)
def test_projection_keeps_signs_and_order(x, sparseness):
    p = ez.project(x, sparseness, norm=1.0)
    assert np.all(p * x >= 0.0)
    order = np.argsort(np.abs(x), kind="stable")
    assert np.all(np.diff(np.abs(p)[order][np.abs(x)[order] < np.abs(x).max()]) >= -1e-15)


@given(VECTORS, INNER_SPARSENESS)
def test_projection_is_idempotent(x, sparseness):
    p = ez.project(x, sparseness)
    again = ez.project(p, sparseness)
    np.testing.assert_allclose(again, p, rtol=1e-12, atol=1e-13 * np.abs(p).max())
    assert np.array_equal(again == 0.0, p == 0.0)


@given(VECTORS, INNER_SPARSENESS, st.integers(-60, 60))
def test_projection_is_equivariant_under_sign_and_scale(x, sparseness, exponent):
    p = ez.project(x, sparseness)
    np.testing.assert_array_equal(ez.project(-x, sparseness), -p)
    np.testing.assert_array_equal(
        ez.project(np.ldexp(x, exponent), sparseness), np.ldexp(p, exponent)
    )


@given(VECTORS.filter(lambda x: np.sum(np.abs(x) == np.abs(x).max()) == 1), INNER_SPARSENESS)
def test_projection_is_equivariant_under_permutation(x, sparseness):
    order = np.random.default_rng(x.size).permutation(x.size)
    p = ez.project(x, sparseness, norm=1.0)
    np.testing.assert_allclose(ez.project(x[order], sparseness, norm=1.0), p[order], atol=1e-9)


@pytest.mark.parametrize("n", [5, 64, 100, 1000, 1 << 18])
def test_float32_agrees_with_float64(n):
    x = np.random.default_rng(n).standard_normal((3, n)).astype(np.float32)
    single = ez.project(x, 0.9, norm=1.0)
    assert single.dtype == np.float32
    np.testing.assert_allclose(single, ez.project(x.astype(float), 0.9, norm=1.0), atol=1e-6)
    assert max(abs(sigma(row) - 0.9) for row in single) < 1e-5


def test_result_of_a_row_does_not_depend_on_other_rows():
    for n in (3, 16, 64, 70):
        x = np.random.default_rng(n).standard_normal((75, n))
        together = ez.project(x, 0.8)
        alone = np.array([ez.project(row, 0.8) for row in x])
        np.testing.assert_array_equal(together, alone)
