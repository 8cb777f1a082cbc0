"""Deblurring: the data step against dense matrices, and properties of the results."""

import numpy as np
import pytest
from helpers.photographs import by_channel, crop, psnr
from scipy import ndimage
from scipy.signal import convolve2d
from skimage.restoration import richardson_lucy, wiener

import ezdl_cli as ez
from ezdl_cli.restoration import deblurring
from ezdl_cli.restoration.blur_kernels import box_kernel, disk_kernel, motion_kernel
from ezdl_cli.restoration.blurring import blur, gaussian_kernel, normalised_kernel
from ezdl_cli.restoration.deblurring import BlurStep

KERNELS = {
    "gaussian": gaussian_kernel(1.6),
    "box": box_kernel(9),
    "motion": motion_kernel(9, 30),
    "disk": disk_kernel(3.0),
}
FEW_ROUNDS = (30.0, 5.0, 3)


def random_kernel(*shape):
    return normalised_kernel(np.random.default_rng(0).uniform(0.0, 1.0, shape))


def blurred_photograph(name, kernel, sigma, *, grey=True):
    """Return a photograph that was blurred beyond its borders, with noise, and the sharp one."""
    sharp = crop(name, grey=grey)
    blurred = by_channel(lambda channel: blur(channel, kernel), sharp)
    noise = np.random.default_rng(0).standard_normal(blurred.shape)
    top, left = (side // 2 for side in kernel.shape)
    inner = (slice(top, top + len(blurred)), slice(left, left + blurred.shape[1]))
    return blurred + sigma * noise, sharp[inner]


def dense_operator(step, kernel, canvas):
    """Return the matrix of the blur of a canvas, cut to the image, by a sum over the kernel."""
    n = np.prod(canvas)
    units = np.eye(n).reshape(n, *canvas)
    centre = [(side - 1) // 2 for side in kernel.shape]
    blurred = np.zeros_like(units)
    for (r, s), weight in np.ndenumerate(kernel):
        blurred += weight * np.roll(units, (r - centre[0], s - centre[1]), axis=(1, 2))
    return blurred[:, *step.inner].reshape(n, -1).T


@pytest.mark.parametrize("shape", [(3, 3), (2, 5), (4, 1), (1, 1)])
@pytest.mark.parametrize(("noise", "level"), [(2.0, 5.0), (5.0, 2.0), (0.3, 50.0)])
def test_data_step_converges_to_a_dense_least_squares_solution(monkeypatch, shape, noise, level):
    rng, kernel = np.random.default_rng(0), random_kernel(*shape)
    y = rng.uniform(0.0, 255.0, (2, 7, 6))
    step = BlurStep(y, kernel, noise)
    canvas = step.start.shape[1:]
    x = rng.uniform(0.0, 255.0, step.start.shape)
    H = dense_operator(step, kernel, canvas)
    ratio = max(noise / level, deblurring.MIN_RATIO)
    A = np.vstack([H, ratio * np.eye(H.shape[1])])
    b = np.hstack([y.reshape(2, -1), ratio * x.reshape(2, -1)])
    expected = np.linalg.lstsq(A, b.T)[0].T.reshape(x.shape)
    if noise / level > 0.1:
        error = np.linalg.norm(step(x, level) - expected) / np.linalg.norm(expected - x)
        assert error < 10 * deblurring.TOLERANCE
    monkeypatch.setattr(deblurring, "TOLERANCE", 1e-12)
    monkeypatch.setattr(deblurring, "MAX_ITERATIONS", 1000)
    np.testing.assert_allclose(step(x, level), expected, atol=1e-6)


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("level", [50.0, 5.0])
def test_few_iterations_come_close_to_the_solution(monkeypatch, kernel, level):
    blurred, _ = blurred_photograph("camera", KERNELS[kernel], 0.3)
    step = BlurStep(blurred[None], KERNELS[kernel], 0.3)
    found = step(step.start, level)
    monkeypatch.setattr(deblurring, "TOLERANCE", 1e-9)
    monkeypatch.setattr(deblurring, "MAX_ITERATIONS", 5000)
    expected = step(step.start, level)
    errors, moves = (found - expected)[:, *step.inner], (expected - step.start)[:, *step.inner]
    assert np.linalg.norm(errors) < 0.1 * np.linalg.norm(moves)


def test_canvas_holds_all_that_the_image_depends_on():
    kernel = random_kernel(4, 7)
    step = BlurStep(np.zeros((1, 9, 8)), kernel, 1.0)
    canvas = np.random.default_rng(0).uniform(0.0, 255.0, step.start.shape[1:])
    H = dense_operator(step, kernel, canvas.shape)
    rows, columns = step.inner
    top, left = rows.start - 2, columns.start - 3
    wide = canvas[top : top + 9 + 3, left : left + 8 + 6]
    expected = convolve2d(wide, kernel, mode="valid")
    np.testing.assert_allclose((H @ canvas.ravel()).reshape(9, 8), expected, atol=1e-9)


def test_step_from_the_solution_is_zero():
    step = BlurStep(np.full((3, 12, 9), 77.0), random_kernel(3, 4), 1.0)
    np.testing.assert_allclose(step(step.start, 10.0), step.start, atol=1e-9)


@pytest.mark.parametrize("shape", [(5, 5), (4, 4), (3, 6), (1, 2), (2, 1)])
def test_the_centre_of_a_kernel_stays_where_it_is(shape):
    """An image that was only shifted is shifted back."""
    image = crop("astronaut", grey=True)[:40, :36]
    centre = [(side - 1) // 2 for side in shape]
    for position in np.ndindex(shape):
        kernel = np.zeros(shape)
        kernel[position] = 3.0
        found = ez.deblur(image, kernel, 0.0, schedule=(30.0, 2.0, 3))
        shift = [c - p for c, p in zip(centre, position, strict=True)]
        expected = np.roll(image, shift, axis=(0, 1))[5:-5, 5:-5]
        assert np.abs(found[5:-5, 5:-5] - expected).max() < 8.0
        assert psnr(found[5:-5, 5:-5], expected) > 40.0


@pytest.mark.parametrize("shape", [(4, 4), (3, 6), (2, 1), (5, 3)])
def test_sharp_edges_do_not_move(shape):
    kernel = random_kernel(*shape)
    sharp = np.kron([[50.0, 200.0], [200.0, 50.0]], np.ones((20, 20)))
    blurred = convolve2d(sharp, kernel, mode="valid")
    top, left = (side // 2 for side in shape)
    expected = sharp[top : top + len(blurred), left : left + blurred.shape[1]]
    assert psnr(ez.deblur(blurred, kernel, 0.0), expected) > psnr(blurred, expected) + 10.0


def best_wiener(blurred, kernel, sharp):
    """Return the highest PSNR of the Wiener filter; images are padded against ringing."""
    padded = np.pad(blurred, 20, mode="symmetric") / 255.0
    balances = 10.0 ** np.arange(-3.0, 0.5, 0.5)
    results = (wiener(padded, kernel, balance, clip=False) for balance in balances)
    return max(psnr(255.0 * result[20:-20, 20:-20], sharp) for result in results)


def best_richardson_lucy(blurred, kernel, sharp):
    padded = np.clip(np.pad(blurred, 20, mode="symmetric") / 255.0, 1e-3, 1.0)
    results = (richardson_lucy(padded, kernel, number, clip=False) for number in (5, 10, 20, 40))
    return max(psnr(255.0 * result[20:-20, 20:-20], sharp) for result in results)


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("name", ["camera", "astronaut"])
def test_result_is_closer_to_the_photograph_than_those_of_classic_filters(name, kernel):
    blurred, sharp = blurred_photograph(name, KERNELS[kernel], 2.0)
    found = psnr(ez.deblur(blurred, KERNELS[kernel], 2.0), sharp)
    assert found > best_wiener(blurred, KERNELS[kernel], sharp) + 0.7
    assert found > best_richardson_lucy(blurred, KERNELS[kernel], sharp) + 0.7


@pytest.mark.parametrize("kernel", ["gaussian", "motion"])
def test_colours_are_deblurred_at_least_as_well_as_channels(kernel):
    weights = KERNELS[kernel]
    blurred, sharp = blurred_photograph("coffee", weights, 2.0, grey=False)
    separate = by_channel(lambda channel: ez.deblur(channel, weights, 2.0), blurred)
    found = psnr(ez.deblur(blurred, weights, 2.0), sharp)
    assert found > psnr(separate, sharp) - 0.1
    assert found > psnr(blurred, sharp) + 4.0


@pytest.mark.parametrize("name", ["camera", "coffee"])
@pytest.mark.parametrize("kernel", KERNELS)
def test_estimated_noise_is_nearly_as_good_as_the_true_one(name, kernel):
    blurred, sharp = blurred_photograph(name, KERNELS[kernel], 2.0, grey=False)
    estimated, given = (ez.deblur(blurred, KERNELS[kernel], sigma) for sigma in (None, 2.0))
    assert abs(psnr(estimated, sharp) - psnr(given, sharp)) < 0.25


def test_a_dictionary_sharpens_as_well():
    blurred, sharp = blurred_photograph("camera", KERNELS["disk"], 2.0)
    found = ez.deblur(blurred, KERNELS["disk"], 2.0, ez.default_dictionary())
    assert psnr(found, sharp) > psnr(blurred, sharp) + 2.5


@pytest.mark.parametrize("shape", [(24, 25), (24, 25, 3)])
@pytest.mark.parametrize("white", [1.0, 1e-3, 65535.0])
@pytest.mark.parametrize("sigma", [3.0, None])
def test_results_are_in_the_units_of_the_image(shape, white, sigma):
    image = np.random.default_rng(0).integers(0, 256, shape)
    kernel, unit = random_kernel(3, 4), white / 255.0
    expected = ez.deblur(image, kernel, sigma, schedule=FEW_ROUNDS)
    scaled = None if sigma is None else sigma * unit
    found = ez.deblur(image * unit, kernel, scaled, white=white, schedule=FEW_ROUNDS)
    np.testing.assert_allclose(found / unit, expected, atol=0.05)


def test_kernels_are_divided_by_their_sum():
    image, kernel = crop("camera")[:40, :40], random_kernel(3, 4)
    expected = ez.deblur(image, kernel, 2.0, schedule=FEW_ROUNDS)
    for factor in (1e-200, 7.0, 1e200):
        found = ez.deblur(image, factor * kernel, 2.0, schedule=FEW_ROUNDS)
        np.testing.assert_allclose(found, expected, atol=0.05)


@pytest.mark.parametrize("shape", [(1, 1), (1, 5), (4, 3), (9, 9), (1, 1, 3), (5, 4, 3)])
def test_kernels_as_large_as_the_image_are_allowed(shape):
    image = np.random.default_rng(0).uniform(0.0, 255.0, shape)
    found = ez.deblur(image, random_kernel(*shape[:2]), 1.0)
    assert found.shape == shape and np.isfinite(found).all()


IMAGE = np.zeros((20, 22))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            {"kernel": np.ones((21, 2))},
            "a kernel of 2 × 21 pixels is larger than the image of 22 × 20",
        ),
        ({"kernel": np.ones((2, 23))}, "a kernel of 23 × 2 pixels is larger"),
        ({"kernel": np.ones(3)}, "^kernel must have two axes"),
        ({"kernel": np.ones((0, 3))}, "^kernel must have two axes"),
        ({"kernel": np.zeros((3, 3))}, "^kernel must not consist of zeros only"),
        ({"kernel": np.full((3, 3), np.nan)}, "^kernel must have finite numbers only"),
        ({"kernel": [[1.0, -1.0]]}, "the sum of the kernel must be positive"),
        ({"kernel": -np.ones((3, 3))}, "the sum of the kernel must be positive"),
        ({"sigma": -1.0}, "^sigma must not be negative"),
        ({"sigma": np.inf}, "^sigma must not be negative or far beyond white"),
        ({"image": IMAGE[:15, :17], "sigma": None}, "too few to estimate the noise level"),
        ({"image": np.full((20, 22), np.inf)}, "the pixel in row 0, column 0 is not finite"),
        ({"image": np.zeros((0, 22))}, "^image has no pixels"),
        ({"schedule": (1.0, 2.0, -3)}, "^schedule must have 1 to 10000 rounds"),
    ],
)
def test_invalid_arguments_are_rejected(arguments, message):
    with pytest.raises(ValueError, match=message):
        ez.deblur(**({"image": IMAGE, "kernel": np.ones((3, 3)), "sigma": 1.0} | arguments))


def test_periodic_images_are_better_with_their_boundary():
    kernel = gaussian_kernel(1.6)
    sharp = crop("camera")
    blurred = ndimage.convolve(sharp, kernel, mode="wrap")
    blurred += np.random.default_rng(0).standard_normal(sharp.shape)
    unknown, periodic = (
        psnr(sharp, ez.deblur(blurred, kernel, 1.0, boundary=boundary))
        for boundary in ("unknown", "periodic")
    )
    assert periodic > unknown + 0.1


def test_periodic_images_may_be_shifted():
    image = crop("camera")[:40, :50]
    rolled = np.roll(image, (7, -9), (0, 1))
    found = [
        ez.deblur(one, gaussian_kernel(1.0), 2.0, boundary="periodic", schedule=(20.0, 5.0, 8))
        for one in (image, rolled)
    ]
    # Patches on the grid of the one are not on that of the other.
    difference = np.roll(found[0], (7, -9), (0, 1)) - found[1]
    assert np.sqrt(np.mean(difference**2)) < 2.0


def test_unknown_boundaries_are_rejected():
    with pytest.raises(ValueError, match=r"^boundary must be one of unknown, periodic"):
        ez.deblur(np.zeros((20, 20)), np.ones((3, 3)), 1.0, boundary="wrap")
