"""Edge cases of the projection: ties, extreme scales, invalid input, memory layouts."""

import itertools

import numpy as np
import pytest
from helpers.projection_references import distributions, project_by_sorting, sigma

import ezdl_cli as ez
from ezdl_cli.core.projection import SOLVERS
from ezdl_cli.core.short_rows import project_short_rows


@pytest.mark.parametrize("value", [1.0, -2.5, 1e-300, 1e300])
@pytest.mark.parametrize("n", [2, 4, 100, 70000])
def test_equal_entries_have_a_valid_deterministic_projection(n, value):
    p = ez.project(np.full(n, value), 0.6, norm=1.0)
    assert abs(sigma(p) - 0.6) < 1e-12
    assert np.all(np.abs(p[1:]) == np.abs(p[1])) and abs(p[0]) > abs(p[1]) > 0.0
    assert np.all(np.sign(p) == np.sign(value))


def test_projection_of_many_ties_is_nonzero_on_tied_entries_only():
    x = np.array([1.0, 3.0, -3.0, 0.5, 3.0, 2.9, 3.0])  # k² = 1.5 at 0.87
    p = ez.project(x, 0.87, norm=1.0)
    assert np.flatnonzero(p).tolist() == [1, 2, 4, 6]
    assert abs(sigma(p) - 0.87) < 1e-12
    distances = [
        np.linalg.norm(x - ez.project(x + 1e-7 * np.eye(7)[i] * np.sign(x), 0.87, norm=1.0))
        for i in (1, 2, 4, 6)
    ]
    assert np.linalg.norm(x - p) <= min(distances) + 1e-12


def test_fewer_ties_than_k_squared_stay_equal():
    x = np.array([1.0, 3.0, 3.0, 0.5, 0.2, 0.1, 0.0, 0.7, 0.3])
    p = ez.project(x, 0.5, norm=1.0)  # k² = 4
    assert p[1] == p[2] > p[0] > 0.0
    np.testing.assert_allclose(p, project_by_sorting(x, 0.5, norm=1.0).astype(float), atol=1e-13)


@pytest.mark.parametrize("n", [3, 10, 100])
def test_entries_that_differ_in_the_last_digits_are_projected_exactly(n):
    random = np.random.default_rng(n)
    for sparseness in (0.2, 0.5, 0.9):
        x = 1.0 - np.ldexp(random.permutation(3 * n)[:n], -53)
        p = ez.project(x, sparseness, norm=1.0)
        assert abs(sigma(p) - sparseness) < 1e-12
        np.testing.assert_allclose(
            p, project_by_sorting(x, sparseness, norm=1.0).astype(float), atol=1e-10
        )


def test_decreasing_sparseness_makes_zeros_nonzero():
    x = np.array([0.0, 5.0, 0.0, -1.0])
    p = ez.project(x, 0.2, norm=1.0)
    assert np.all(p[[0, 2]] > 0.0) and p[3] < 0.0
    assert abs(sigma(p) - 0.2) < 1e-12
    np.testing.assert_allclose(p, project_by_sorting(x, 0.2, norm=1.0).astype(float), atol=1e-14)


def test_projection_of_zero_requires_a_norm():
    with pytest.raises(ValueError, match="row 1 is zero"):
        ez.project([[1.0, 2.0], [0.0, 0.0]], 0.5)
    p = ez.project(np.zeros(4), 0.5, norm=3.0)
    assert abs(sigma(p) - 0.5) < 1e-12 and np.linalg.norm(p) == pytest.approx(3.0)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("n", [5, 80, 1 << 18])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("solver", SOLVERS)
def test_row_with_a_non_finite_entry_is_rejected_by_its_index(bad, n, dtype, solver):
    x = np.random.default_rng(0).random((3, n)).astype(dtype)
    x[1, n // 2] = bad
    with pytest.raises(ValueError, match=r"row 1 has an entry that is not finite"):
        ez.project(x, 0.9, norm=1.0, solver=solver)


@pytest.mark.parametrize("sparseness", [0.0, 1.0, -0.1, 1.5, np.nan, np.inf, "a", None])
def test_sparseness_outside_the_open_interval_is_rejected(sparseness):
    with pytest.raises(ValueError, match="sparseness"):
        ez.project([1.0, 2.0], sparseness)


@pytest.mark.parametrize("norm", [0.0, -1.0, np.nan, np.inf, "a"])
def test_norms_that_are_not_positive_are_rejected(norm):
    with pytest.raises(ValueError, match="norm"):
        ez.project([1.0, 2.0], 0.5, norm=norm)


def test_single_entries_and_wrong_types_are_rejected():
    for x in (1.0, [1.0], np.zeros((3, 1)), np.zeros((2, 0)), ["a", "b"], [1j, 2.0]):
        with pytest.raises(ValueError):
            ez.project(x, 0.5)
    with pytest.raises(ValueError, match="solver"):
        ez.project([1.0, 2.0], 0.5, solver="magic")


@pytest.mark.parametrize("sparseness", [5e-324, 1e-300, 1e-16, 1e-9, 1 - 1e-9, 1 - 2**-53])
@pytest.mark.parametrize("n", [2, 3, 64, 65, 5000])
def test_sparseness_close_to_zero_or_one_has_a_projection(sparseness, n):
    for x in distributions(n, np.random.default_rng(n)).values():
        for norm in (None, 1.0):
            p = ez.project(x.astype(float), sparseness, norm=norm)
            assert np.all(np.isfinite(p))
            assert abs(sigma(p) - sparseness) < 1e-12


@pytest.mark.parametrize("scale", [5e-324, 1e-310, 1e-200, 1e-30, 1e30, 1e150, 1e300, 1e305])
@pytest.mark.parametrize("n", [4, 64, 500])
def test_extreme_scales_keep_sparseness_and_direction(scale, n):
    unscaled = np.random.default_rng(n).integers(0, 9, n).astype(float)
    x = unscaled * scale
    for solver, norm in itertools.product(SOLVERS, (None, 1.0)):
        p = ez.project(x, 0.8, norm=norm, solver=solver)
        direction = ez.project(x / scale, 0.8, norm=1.0, solver=solver)
        np.testing.assert_allclose(
            p / np.abs(p).max(), direction / direction.max(), atol=1e-9 if scale > 1e-300 else 1.0
        )
        if scale > 1e-300:
            assert abs(sigma(p) - 0.8) < 1e-12


def test_float32_of_extreme_scale_has_the_target_sparseness():
    for scale in (1e-44, 1e-38, 1e30, 1e38):
        x = (np.random.default_rng(1).integers(0, 4, 100) * scale).astype(np.float32)
        p = ez.project(x, 0.8, norm=1.0)
        assert abs(sigma(p) - 0.8) < 1e-5


def test_results_that_would_overflow_are_rejected():
    with pytest.raises(ValueError, match="too large"):
        ez.project(np.full(100, 1.7e308), 0.9)


def test_memory_layout_and_type_do_not_change_the_result():
    x = np.random.default_rng(2).integers(-9, 9, (6, 8)).astype(float)
    x[:, 0] = 11.0
    expected = ez.project(x, 0.7)
    read_only = x.copy()
    read_only.flags.writeable = False
    for other in (x.astype(int), x.astype(np.int8), x.tolist(), read_only, np.asfortranarray(x)):
        np.testing.assert_array_equal(ez.project(other, 0.7), expected)
    np.testing.assert_array_equal(ez.project(x.astype(">f8"), 0.7), expected)
    np.testing.assert_array_equal(ez.project(np.repeat(x, 2, axis=1)[:, ::2], 0.7), expected)
    np.testing.assert_array_equal(ez.project(x.reshape(2, 3, 8), 0.7).reshape(6, 8), expected)
    assert ez.project(x.astype(np.float16), 0.7).dtype == np.float32


def test_read_only_arrays_are_not_compiled_separately():
    x = np.random.default_rng(2).standard_normal((6, 8))
    original = x.copy()
    expected = ez.project(x, 0.7)
    compiled = len(project_short_rows.signatures)
    view = x.view()
    view.flags.writeable = False
    np.testing.assert_array_equal(ez.project(view, 0.7), expected)
    np.testing.assert_array_equal(x, original)
    np.testing.assert_array_equal(ez.project(view, 0.7, out=x), expected)
    assert len(project_short_rows.signatures) == compiled


def test_empty_batches_give_empty_results():
    assert ez.project(np.empty((0, 5)), 0.5).shape == (0, 5)
    assert ez.project(np.empty((3, 0, 5), np.float32), 0.5).dtype == np.float32


def test_projection_in_place_gives_the_same_bits():
    for shape in ((70,), (40, 6), (1 << 18,)):
        for dtype in (np.float32, np.float64):
            x = np.random.default_rng(4).standard_normal(shape).astype(dtype)
            expected = ez.project(x, 0.9)
            assert ez.project(x, 0.9, out=x) is x
            np.testing.assert_array_equal(x, expected)


def test_out_may_overlap_or_be_strided():
    memory = np.random.default_rng(6).standard_normal(60)
    expected = ez.project(memory[:50], 0.8)
    strided = np.zeros((2, 100))
    ez.project(memory[:50], 0.8, out=strided[0, ::2])
    np.testing.assert_array_equal(strided[0, ::2], expected)
    ez.project(memory[:50], 0.8, out=memory[10:])
    np.testing.assert_array_equal(memory[10:], expected)


def test_unsuitable_out_is_rejected():
    x = np.ones((2, 3)) + np.eye(2, 3)
    read_only = np.zeros((2, 3))
    read_only.flags.writeable = False
    for out in (np.zeros((3, 2)), np.zeros((2, 3), np.float32), [[0.0] * 3] * 2, read_only):
        with pytest.raises(ValueError, match="out"):
            ez.project(x, 0.5, out=out)


def test_valid_rows_are_projected_even_if_others_are_rejected():
    x = np.array([[3.0, 1.0, 2.0], [np.nan, 1.0, 2.0], [1.0, 5.0, 2.0]])
    out = np.empty_like(x)
    with pytest.raises(ValueError, match="row 1"):
        ez.project(x, 0.5, out=out)
    np.testing.assert_array_equal(out[[0, 2]], ez.project(x[[0, 2]], 0.5))


def test_additional_memory_in_place_is_below_one_mebibyte():
    import tracemalloc

    x = np.random.default_rng(8).random(1 << 21)
    ez.project(x.copy(), 0.5, out=x)
    tracemalloc.start()
    try:
        ez.project(x, 0.9, norm=1.0, out=x)
        assert tracemalloc.get_traced_memory()[1] < 1 << 20
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("n", [100, 4096, 1 << 18])
@pytest.mark.parametrize("gap", [1e-12, 1e-9, 1e-6, 1e-3])
def test_one_entry_above_many_equal_ones_is_projected_exactly(n, gap):
    x = np.ones(n)
    x[0] += gap
    for sparseness, solver in itertools.product((0.5, 0.9), ("auto", "newton_sqr")):
        p = ez.project(x, sparseness, norm=1.0, solver=solver)
        assert abs(sigma(p) - sparseness) < 1e-12
        expected = project_by_sorting(x, sparseness, norm=1.0).astype(float)
        np.testing.assert_allclose(p, expected, atol=1e-10)


@pytest.mark.parametrize("solver", SOLVERS)
def test_k_squared_near_ties_have_the_target_sparseness(solver):
    near = [-0.28508574145950283, 1.0000000000000078, 1.0000000000000062, 1.0000000000000022]
    cases = ((near, 0.2679491924311228), ([0.9998646728010036, -1, 1, -1], 0.2679491925871287))
    for x, sparseness in cases:  # k² is 3 up to rounding
        p = ez.project(x, sparseness, norm=1.0, solver=solver)
        assert abs(sigma(p) - sparseness) < 1e-12
        assert np.linalg.norm(p) == pytest.approx(1.0)


def test_projecting_ties_twice_keeps_the_support():
    x = np.zeros(1000)
    x[:500] = 1.0
    for sparseness in np.arange(0.3, 0.99, 0.01):
        p = ez.project(x, sparseness)
        again = ez.project(p, sparseness)
        assert np.array_equal(p == 0.0, again == 0.0)


def test_extreme_norms_are_attained():
    for factor, norm in ((1e-99, 1e300), (1e90, 1e-250), (1e-300, 1e300), (1.0, 1e-300)):
        p = ez.project(np.array([3.0, 2.0, 1.0]) * factor, 0.9, norm=norm)
        assert np.linalg.norm(p / norm) == pytest.approx(1.0, rel=1e-12)
        assert abs(sigma(p) - 0.9) < 1e-12


def test_overflow_of_float32_is_rejected():
    for x in ([3.4e38, 3.39e38, 3.38e38], [3.4e38] * 3):
        with pytest.raises(ValueError, match="too large"):
            ez.project(np.array(x, np.float32), 0.9)


def test_norms_outside_the_range_of_the_type_are_rejected():
    for norm in (1e-60, 1e60, 10**400):
        with pytest.raises(ValueError, match="norm"):
            ez.project(np.ones(3, np.float32), 0.5, norm=norm)
    with pytest.raises(ValueError, match="sparseness"):
        ez.project(np.ones(3), 10**400)
    with pytest.raises(ValueError, match="solver"):
        ez.project(np.ones(3), 0.5, solver=["auto"])


@pytest.mark.parametrize("sparseness", [1e-12, 1e-10, 1e-6])
def test_tiny_degrees_are_met_exactly_and_again(sparseness):
    for n in (10, 28, 64, 300):
        x = np.random.default_rng(n).standard_normal(n)
        p = ez.project(x, sparseness, norm=1.0)
        expected = project_by_sorting(x, sparseness, norm=1.0).astype(float)
        np.testing.assert_allclose(p, expected, atol=1e-12)
        np.testing.assert_allclose(ez.project(p, sparseness, norm=1.0), p, atol=1e-10)


@pytest.mark.parametrize("solver", ["auto", "bisection", "newton", "newton_sqr", "halley"])
@pytest.mark.parametrize("n", [3, 64, 65, 1000])
def test_every_norm_is_attained_from_every_scale(solver, n):
    x = np.random.default_rng(n).standard_normal((5, n))
    expected = ez.project(x, 0.8, norm=1.0, solver=solver)
    for scale in (1e-30, 1.0, 1e30):
        for norm in (1e-300, 1e-61, 1e-59, 1e59, 1e61, 1e300):
            found = ez.project(scale * x, 0.8, norm=norm, solver=solver)
            np.testing.assert_allclose(found / norm, expected, rtol=1e-9, atol=1e-12)


def test_masked_entries_are_rejected():
    x = np.ma.array([1.0, 2.0, 1e9], mask=[False, False, True])
    for function in (lambda x: ez.project(x, 0.5), ez.sparseness):
        with pytest.raises(ValueError, match="masked"):
            function(x)
    np.testing.assert_array_equal(ez.project(x[:2], 0.5), ez.project([1.0, 2.0], 0.5))
