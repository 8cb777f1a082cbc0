"""Filter responses of images against plain implementations."""

import numpy as np
import pytest
from scipy.signal import correlate2d

import ezdl_cli as ez
from ezdl_cli.coding import image_filtering

RNG = np.random.default_rng(0)
TOLERANCE = {np.float32: 2e-6, np.float64: 1e-14}


def separable_atoms(n_atoms, side, dtype=np.float64):
    columns, rows = RNG.standard_normal((2, n_atoms, side))
    W = (columns[:, :, np.newaxis] * rows[:, np.newaxis]).reshape(n_atoms, -1)
    return (W / np.linalg.norm(W, axis=1, keepdims=True)).astype(dtype)


def expected_responses(image, W):
    side = round(W.shape[1] ** 0.5)
    atoms = W.astype(np.float64).reshape(-1, side, side)
    return np.array([correlate2d(image.astype(np.float64), atom, "valid") for atom in atoms])


def assert_responses(found, image, W):
    expected = expected_responses(image, W)
    assert found.shape == expected.shape
    error = np.abs(found - expected).max() / np.abs(expected).max()
    assert error < TOLERANCE[found.dtype.type]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("side", [1, 3, 8, 13, 16])
@pytest.mark.parametrize("method", ["auto", "separable", "direct"])
def test_responses_to_separable_atoms_are_correlations(dtype, side, method):
    image = RNG.standard_normal((side + 20, side + 33)).astype(dtype)
    W = separable_atoms(11, side, dtype)
    found = ez.filter_responses(image, W, method)
    assert found.dtype == dtype
    assert_responses(found, image, W)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("method", ["auto", "direct"])
def test_responses_to_general_atoms_are_correlations(dtype, method):
    image = RNG.standard_normal((30, 41)).astype(dtype)
    W = RNG.standard_normal((9, 49)).astype(dtype)
    assert_responses(ez.filter_responses(image, W, method), image, W)


def test_each_atom_takes_the_faster_path(monkeypatch):
    taken = {}

    def spy(name):
        original = getattr(image_filtering, name)

        def record(*arguments):
            taken[name] = arguments[-2].tolist()
            original(*arguments)

        monkeypatch.setattr(image_filtering, name, record)

    spy("_filter_separably")
    spy("_filter_directly")
    image, W = RNG.standard_normal((25, 31)), RNG.standard_normal((20, 64))
    W[1::2] = separable_atoms(10, 8)
    W[4] = 0.0
    assert_responses(ez.filter_responses(image, W), image, W)
    assert taken["_filter_directly"] == [0, 2, *range(6, 20, 2)]
    assert taken["_filter_separably"] == sorted([4, *range(1, 20, 2)])


def test_atoms_of_rank_one_up_to_rounding_are_separable():
    image = RNG.standard_normal((40, 40))
    for dtype, change in ((np.float32, 1e-4), (np.float64, 1e-12)):
        W = separable_atoms(50, 16, dtype) * dtype(1e-30)
        ez.filter_responses(image, W, "separable")
        W[7] += (change * np.abs(W[7]).max() * RNG.standard_normal(256)).astype(dtype)
        with pytest.raises(ValueError, match=r"row 7 of W .* rank 2 .* not separable"):
            ez.filter_responses(image, W, "separable")


@pytest.mark.parametrize("W", [separable_atoms(5, 4), RNG.standard_normal((5, 16))])
def test_images_of_any_layout_and_type_are_filtered(W):
    wide = RNG.integers(0, 256, (40, 60), dtype=np.uint8)
    for image in (wide, wide.T, wide[::2, ::-3], wide > 100, wide.astype(">f4"), wide.tolist()):
        found = ez.filter_responses(image, W)
        assert found.dtype == np.float64 and found.flags.c_contiguous
        assert_responses(found, np.asarray(image), W)


@pytest.mark.parametrize("shape", [(4, 4), (4, 3000), (300, 5), (70, 1030)])
def test_blocks_cover_narrow_and_wide_images(shape):
    image = RNG.standard_normal(shape)
    W = np.vstack([separable_atoms(2, 4), RNG.standard_normal((2, 16))])
    for chosen in (W, W[2:]):
        assert_responses(ez.filter_responses(image, chosen), image, chosen)


def test_result_does_not_depend_on_threads(monkeypatch):
    image = RNG.standard_normal((100, 90)).astype(np.float32)
    W = np.vstack([separable_atoms(30, 8), RNG.standard_normal((30, 64))]).astype(np.float32)
    found = ez.filter_responses(image, W)
    monkeypatch.setenv("EZDL_THREADS", "1")
    assert np.array_equal(ez.filter_responses(image, W), found)


def test_result_is_written_to_out():
    image, W = RNG.standard_normal((20, 22)), separable_atoms(3, 5)
    out = np.full((3, 16, 18), np.nan)
    assert ez.filter_responses(image, W, out=out) is out
    assert_responses(out, image, W)


def test_large_numbers_overflow_without_a_warning():
    image = np.full((9, 9), 1e38, np.float32)
    W = np.vstack([np.ones((1, 16)), np.eye(4).reshape(1, 16)]).astype(np.float32)
    assert np.isinf(ez.filter_responses(image, W)).all()


@pytest.mark.parametrize(
    ("image", "W", "options", "message"),
    [
        (np.zeros((3, 9)), np.ones((1, 16)), {}, "9 × 3 pixels is smaller than an atom of 4 × 4"),
        (np.zeros(9), np.ones((1, 4)), {}, "image must have two axes"),
        (np.full((9, 9), np.nan), np.ones((1, 4)), {}, "finite grey values"),
        (np.zeros((9, 9), complex), np.ones((1, 4)), {}, "image must hold real numbers"),
        (np.zeros((9, 9)), np.ones(4), {}, "W must have atoms"),
        (np.zeros((9, 9)), np.ones((0, 4)), {}, "W must have atoms"),
        (np.zeros((9, 9)), np.full((2, 4), np.inf), {}, "W must have atoms of finite"),
        (np.zeros((9, 9)), np.ones((2, 5)), {}, "not square patches"),
        (np.zeros((9, 9)), np.ones((2, 4)), {"method": "fast"}, "method must be one of auto"),
        (np.zeros((9, 9)), np.ones((2, 4)), {"out": np.zeros((2, 8, 9))}, r"shape \(2, 8, 8\)"),
        (np.zeros((9, 9)), np.ones((2, 4)), {"out": np.zeros((2, 8, 16))[..., ::2]}, "contiguous"),
    ],
)
def test_invalid_arguments_are_rejected(image, W, options, message):
    with pytest.raises(ValueError, match=message):
        ez.filter_responses(image, W, **options)


def test_out_must_not_share_memory_with_the_image():
    memory = np.zeros(200)
    with pytest.raises(ValueError, match="share memory"):
        ez.filter_responses(
            memory[:81].reshape(9, 9), np.ones((2, 4)), out=memory[50:178].reshape(2, 8, 8)
        )
