"""The projection has the same bits for any number of threads."""

import numpy as np
import pytest
from helpers.projection_references import distributions, project_by_sorting

import ezdl_cli as ez
from ezdl_cli.core import long_rows
from ezdl_cli.core.projection import AUTO, SOLVERS, project_rows
from ezdl_cli.core.target_sparseness import TargetSparseness

BATCHES = ((1, 7), (5, 20), (31, 64), (33, 65), (100, 256), (3, 5000), (7, 40_000))
AWKWARD_SIZES = ((1 << 18), (1 << 18) + 1, 300_007, (1 << 20) - 1)


def project_by_threads(x, n_threads, sparseness=0.9, solver=AUTO):
    rows = np.atleast_2d(x)
    out = np.empty_like(rows)
    target = TargetSparseness.of(rows.shape[1], sparseness)
    outcome = project_rows(rows, out, target, 1.0, solver, n_threads)
    return out, outcome


@pytest.fixture(autouse=True)
def three_cores(monkeypatch):
    monkeypatch.setattr("ezdl_cli.parallel.available_cores", lambda: 3)


@pytest.mark.parametrize("shape", BATCHES)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("solver", [AUTO, SOLVERS["newton_sqr"]])
def test_batches_have_the_same_bits(shape, dtype, solver):
    x = np.random.default_rng(shape).standard_normal(shape).astype(dtype)
    expected, _ = project_by_threads(x, 1, solver=solver)
    for n_threads in (2, 3):
        found, _ = project_by_threads(x, n_threads, solver=solver)
        np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("n", AWKWARD_SIZES)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_long_vectors_have_the_same_bits(n, dtype):
    random = np.random.default_rng(n)
    vectors = {**distributions(n, random), "sorted": np.sort(random.random(n))}
    for name, x in vectors.items():
        x = (x / np.abs(x).max()).astype(dtype)
        for sparseness in (0.3, 0.9):
            expected, _ = project_by_threads(x, 1, sparseness)
            for n_threads in (2, 3):
                found, _ = project_by_threads(x, n_threads, sparseness)
                np.testing.assert_array_equal(found, expected, err_msg=name)


def test_a_bracket_that_is_too_large_for_one_thread_is_collected_by_one(monkeypatch):
    """In a sorted vector, all entries inside the bracket belong to the same thread."""
    x = np.sort(np.random.default_rng(0).random(1 << 19))
    monkeypatch.setattr(long_rows, "SCRATCH_SIZE", 8 * 1024)
    expected, _ = project_by_threads(x, 1)
    found, _ = project_by_threads(x, 3)
    np.testing.assert_array_equal(found, expected)
    reference = project_by_sorting(x, 0.9, norm=1.0)
    assert np.abs(found[0] - reference).max() < 1e-10 * reference.max()


def test_bad_rows_are_reported_whatever_thread_finds_them():
    x = np.random.default_rng(0).random((50, 256))
    x[[7, 31, 49], 3] = np.nan, np.inf, np.nan
    for n_threads in (1, 2, 3):
        _, outcome = project_by_threads(x, n_threads)
        assert np.flatnonzero(outcome).tolist() == [7, 31, 49]


def test_large_batches_of_callers_are_shared_among_threads(monkeypatch):
    x = np.random.default_rng(1).standard_normal((1100, 256)).astype(np.float32)
    results = []
    for n_threads in ("1", "2", "3"):
        monkeypatch.setenv("EZDL_THREADS", n_threads)
        results.append(ez.project(x, 0.8, norm=1.0))
    np.testing.assert_array_equal(results[1], results[0])
    np.testing.assert_array_equal(results[2], results[0])


def test_memory_of_several_threads_stays_below_one_mebibyte(monkeypatch):
    import tracemalloc

    monkeypatch.setenv("EZDL_THREADS", "3")
    x = np.random.default_rng(8).random(1 << 20)
    ez.project(x.copy(), 0.5, out=x)
    tracemalloc.start()
    try:
        ez.project(x, 0.9, norm=1.0, out=x)
        assert tracemalloc.get_traced_memory()[1] < 1 << 20
    finally:
        tracemalloc.stop()
