"""The store of samples, in memory and in files, against plain NumPy."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis.extra import numpy as arrays

from ezdl_cli import io
from ezdl_cli.errors import InputError
from ezdl_cli.samples import store as samples
from ezdl_cli.samples.store import Samples, normalise


def plain(rows):
    """Normalise rows to zero mean and unit variance, step by step."""
    rows = rows.astype(np.float64)
    centred = rows - rows.mean(axis=1, keepdims=True)
    deviation = centred.std(axis=1, keepdims=True)
    return np.divide(centred, deviation, out=np.zeros_like(centred), where=deviation > 0)


@given(arrays.arrays(np.uint8, (6, 16)))
def test_pixels_are_normalised_when_picked(pixels):
    indices = [5, 0, 0, 3]
    picked = Samples(pixels).pick(indices, dtype=np.float64)
    np.testing.assert_allclose(picked, plain(pixels[indices]), atol=1e-12)
    single = Samples(pixels).pick(indices)
    assert single.dtype == np.float32
    np.testing.assert_allclose(single, picked, atol=1e-5)


def test_normalise_gives_zero_mean_and_unit_variance():
    x = np.random.default_rng(0).standard_normal((5, 9)) * 3 + 1
    x[2] = 4.0
    np.testing.assert_allclose(normalise(x), plain(x), atol=1e-12)


@pytest.mark.parametrize("dtype", [np.float32, np.float64, ">f4", np.int16, bool])
def test_other_types_are_not_normalised(dtype):
    numbers = np.random.default_rng(1).integers(0, 2, (8, 3)).astype(dtype)
    picked = Samples(numbers).pick([7, 2], dtype=np.float64)
    np.testing.assert_array_equal(picked, numbers[[7, 2]].astype(np.float64))


@pytest.mark.parametrize("dtype", [np.int16, np.float32, np.float64])
def test_samples_are_scaled_by_powers_of_two(dtype):
    rng = np.random.default_rng(0)
    rows = (100 * rng.standard_normal((50, 7))).astype(dtype)
    out = Samples(rows).pick_scaled(np.arange(50), np.empty((50, 7), np.float64))
    largest = np.abs(out).max(axis=1)
    assert ((largest >= 0.5) & (largest < 1)).all()
    factors = rows.astype(float)[:, :1] / out[:, :1]
    np.testing.assert_array_equal(np.log2(factors) % 1, 0)
    np.testing.assert_array_equal(out * factors, rows)


@pytest.mark.parametrize("size", [5e-324, 1e-300, 1e300, 1.7e308])
def test_squares_of_scaled_samples_neither_overflow_nor_vanish(size):
    out = Samples(np.array([[size, 0.0, -size]])).pick_scaled([0], np.empty((1, 3), np.float32))
    assert np.finfo(np.float32).tiny < np.square(out).sum() < 1e3
    assert Samples(np.zeros((1, 3))).pick_scaled([0], np.empty((1, 3))).tolist() == [[0, 0, 0]]


def test_further_axes_are_flattened():
    cube = np.random.default_rng(2).random((5, 4, 4))
    np.testing.assert_array_equal(Samples(cube).pick([3], dtype=np.float64), cube[3].reshape(1, -1))


@pytest.mark.parametrize("dtype", [np.uint8, np.float32, ">f8"])
@pytest.mark.parametrize("kind", ["npy", "npz"])
@pytest.mark.parametrize("limit", [1000, 1 << 30])
def test_rows_of_files_equal_those_in_memory(tmp_path, monkeypatch, dtype, kind, limit):
    monkeypatch.setattr(samples, "RESIDENT_BYTES", limit)
    monkeypatch.setattr(samples, "CHUNK_BYTES", 1000)
    rng = np.random.default_rng(3)
    numbers = rng.integers(0, 256, (3000, 9)).astype(dtype)
    path = tmp_path / f"x.{kind}"
    if kind == "npy":
        np.save(path, numbers)
    else:
        np.savez(path, samples=numbers, more=np.ones(3))
    indices = rng.integers(3000, size=500)
    with io.open_samples(path) as stored:
        store = Samples(stored.array, stream=stored.stream)
        path.unlink()
        picked = store.pick(indices, dtype=np.float64)
        chunks = list(store.chunks())
    rows = numbers[indices]
    expected = plain(rows) if dtype is np.uint8 else rows.astype(np.float64)
    np.testing.assert_allclose(picked, expected, atol=1e-12)
    assert len(chunks) > 10
    np.testing.assert_array_equal(np.concatenate(chunks), numbers)


def test_fortran_order_is_supported(tmp_path, monkeypatch):
    monkeypatch.setattr(samples, "RESIDENT_BYTES", 1000)
    numbers = np.asfortranarray(np.random.default_rng(4).random((300, 9)))
    np.save(tmp_path / "x.npy", numbers)
    with io.open_samples(tmp_path / "x.npy") as stored:
        picked = Samples(stored.array, stream=stored.stream).pick([5, 299], dtype=np.float64)
    np.testing.assert_array_equal(picked, numbers[[5, 299]])


@pytest.mark.parametrize("save", [np.savez, np.savez_compressed])
def test_arrays_in_npz_files_are_found(tmp_path, save):
    numbers = np.random.default_rng(5).random((30, 4)).astype(np.float32)
    save(tmp_path / "one.npz", numbers)
    with io.open_samples(tmp_path / "one.npz") as stored:
        np.testing.assert_array_equal(stored.array, numbers)
    save(tmp_path / "named.npz", other=np.ones(3), samples=numbers)
    with io.open_samples(tmp_path / "named.npz") as stored:
        np.testing.assert_array_equal(stored.array, numbers)
        assert stored.matrices == {}  # other arrays are not loaded


def test_samples_that_unpack_beyond_the_limit_are_rejected(tmp_path, monkeypatch):
    numbers = np.ones((30, 4), np.float32)
    monkeypatch.setattr(io.npz, "MAX_BYTES", numbers.nbytes)
    for name in ("samples", "whitening", "meta"):
        np.savez_compressed(tmp_path / "x.npz", **{"samples": numbers, name: np.zeros((1000, 4))})
        with (
            pytest.raises(InputError, match="too large to unpack"),
            io.open_samples(tmp_path / "x.npz"),
        ):
            pass


def test_indices_out_of_range_are_rejected():
    store = Samples(np.eye(4))
    for bad in ([4], [-1], [0, 99], [0.5], [True], [[0, 1]]):
        with pytest.raises(IndexError):
            store.pick(bad)
    with pytest.raises(ValueError):
        store.pick([0, 1], out=np.empty((1, 4)))


@pytest.mark.parametrize(
    "array",
    [np.ones(4), np.ones((0, 4)), np.ones((4, 1)), np.array([["a", "b"]]), np.full((3, 2), np.nan)],
)
def test_arrays_that_are_not_samples_are_rejected(array):
    with pytest.raises(ValueError):
        Samples(array)


def test_error_names_the_row_with_infinity():
    x = np.ones((10, 3))
    x[7, 1] = np.inf
    with pytest.raises(ValueError, match="row 7"):
        Samples(x)
