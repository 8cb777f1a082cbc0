"""What holds for upscaling, deblurring and inpainting: threads, memory layouts, extreme values."""

import sys

import numpy as np
import pytest

import ezdl_cli as ez
from ezdl_cli.restoration.blurring import gaussian_kernel

ATOMS = np.random.default_rng(1).standard_normal((30, 9))
KERNEL = gaussian_kernel(0.5)[1:, 1:-1]  # of an even and an odd side
FEW_ROUNDS = {"schedule": (20.0, 3.0, 3)}


def holes(image):
    return np.random.default_rng(2).random(image.shape[:2]) < 0.4


def known(image):
    """Return missing pixels, at least one of which is known."""
    missing = holes(image)
    missing[0, 0] = False
    return missing


TASKS = {
    "upscale": lambda image, **options: ez.upscale(image, 2, **FEW_ROUNDS, **options),
    "deblur": lambda image, **options: ez.deblur(
        image, KERNEL, **({"sigma": 1.0} | FEW_ROUNDS | options)
    ),
    "inpaint": lambda image, **options: ez.inpaint(image, known(image), **FEW_ROUNDS, **options),
    "inpaint noise": lambda image, **options: ez.inpaint(
        image, known(image), sigma=5.0, **FEW_ROUNDS, **options
    ),
    "upscale, dictionary": lambda image: ez.upscale(image, 2, ATOMS, **FEW_ROUNDS),
    "deblur, dictionary": lambda image: ez.deblur(image, KERNEL, 1.0, ATOMS, **FEW_ROUNDS),
    "inpaint, dictionary": lambda image: ez.inpaint(image, known(image), ATOMS, **FEW_ROUNDS),
}
WITHOUT_DICTIONARY = [name for name in TASKS if "dictionary" not in name]
each_task = pytest.mark.parametrize("name", TASKS)


def random_image(*shape, dtype=np.uint8):
    high = int(np.iinfo(dtype).max) + 1
    return np.random.default_rng(0).integers(0, high, shape, dtype=dtype)


@each_task
@pytest.mark.parametrize("colours", [False, True])
def test_results_do_not_depend_on_threads(monkeypatch, name, colours):
    monkeypatch.setattr("os.sched_getaffinity", lambda _: set(range(8)))
    image = random_image(75, 140, *((3,) if colours else ()))
    results = []
    for number in (1, 2, 3):
        monkeypatch.setenv("EZDL_THREADS", str(number))
        results.append(TASKS[name](image))
    np.testing.assert_array_equal(results[0], results[1])
    np.testing.assert_array_equal(results[0], results[2])


CALLS = """
import hashlib
import numpy as np
import ezdl_cli as ez

def report(name, array):
    print(name, hashlib.sha256(np.ascontiguousarray(array).tobytes()).hexdigest())

rng = np.random.default_rng(0)
rounds = {"schedule": (20.0, 3.0, 2)}
kernel, atoms = rng.random((9, 8)), rng.standard_normal((30, 64))
for shape in ((230, 210), (150, 170, 3)):
    image = 30.0 * rng.standard_normal(shape) + 127.0
    missing = rng.random(shape[:2]) < 0.5
    report("upscale", ez.upscale(image[:120], 3, **rounds))
    report("deblur", ez.deblur(image, kernel, 2.0, **rounds))
    report("deblur, estimated noise", ez.deblur(image, kernel, **rounds))
    report("inpaint", ez.inpaint(image, missing, **rounds))
    report("inpaint, dictionary", ez.inpaint(image, missing, atoms, sigma=3.0, **rounds))
"""


def test_results_do_not_depend_on_blas_threads(run):
    def output(n_threads):
        environment = {"OPENBLAS_NUM_THREADS": n_threads, "EZDL_THREADS": n_threads}
        done = run(sys.executable, "-W", "error", "-c", CALLS, env=environment)
        assert done.returncode == 0, done.stderr
        return done.stdout.splitlines()

    single, double = output("1"), output("2")
    assert len(single) == 10
    assert single == double


@each_task
@pytest.mark.parametrize("shape", [(23, 30), (23, 30, 3)])
@pytest.mark.parametrize("dtype", [np.uint8, np.float64])
def test_memory_layouts_do_not_matter_and_inputs_are_not_changed(name, shape, dtype):
    image = random_image(*shape).astype(dtype)
    expected = TASKS[name](image)
    np.testing.assert_array_equal(image, random_image(*shape))
    locked = image.copy()
    locked.flags.writeable = False
    reversed_twice = image[::-1, ::-1].copy()[::-1, ::-1]
    swapped = image.astype(image.dtype.newbyteorder())
    np.testing.assert_array_equal(TASKS[name](locked), expected)
    # Products with the matrix of opponent colours are rounded in another order.
    rounding = 1e-3 if image.ndim == 3 else 0.0
    for other in (np.asfortranarray(image), reversed_twice, swapped):
        np.testing.assert_allclose(TASKS[name](other), expected, rtol=0.0, atol=rounding)


def test_masks_and_kernels_are_not_changed():
    image = random_image(23, 30)
    mask, kernel = known(image).astype(np.float64), KERNEL.copy()
    for array in (image, mask, kernel):
        array.flags.writeable = False
    fortran = np.asfortranarray
    for call, array in (
        (lambda x: ez.inpaint(image, x, **FEW_ROUNDS), mask),
        (lambda x: ez.deblur(image, x, 1.0, **FEW_ROUNDS), kernel),
        (lambda x: ez.upscale(image, 2, x, **FEW_ROUNDS), ATOMS),
    ):
        before = array.copy()
        np.testing.assert_array_equal(call(fortran(array)), call(array))
        np.testing.assert_array_equal(array, before)


@each_task
def test_calls_are_reproducible(name):
    image = random_image(20, 21, 3)
    np.testing.assert_array_equal(TASKS[name](image), TASKS[name](image))


@each_task
@pytest.mark.parametrize("shape", [(20, 17), (20, 17, 3)])
@pytest.mark.parametrize("value", [0.0, 77.0, 255.0, -1e5, 1e5])
def test_constant_images_remain_constant(name, shape, value):
    found = TASKS[name](np.full(shape, value))
    np.testing.assert_allclose(found, value, rtol=1e-5, atol=1e-3)


@each_task
@pytest.mark.parametrize("shape", [(20, 17), (20, 17, 3)])
def test_values_far_beyond_white_have_finite_results(name, shape):
    rng = np.random.default_rng(0)
    for image in (
        rng.choice([-1e5, 1e5], shape),
        rng.uniform(-1e5, 1e5, shape),
        np.where(rng.random(shape) < 0.02, 1e5, 100.0),
    ):
        found = TASKS[name](image)
        assert np.isfinite(found).all() and np.abs(found).max() < 1e6


@pytest.mark.parametrize("name", ["upscale", "inpaint", "inpaint noise", "deblur"])
@pytest.mark.parametrize("shape", [(1, 1), (1, 2), (2, 1), (1, 20), (3, 4), (5, 4, 3), (1, 1, 3)])
def test_images_smaller_than_a_patch_have_finite_results(name, shape):
    image = random_image(*shape)
    task = (lambda x: ez.deblur(x, np.ones((1, 1)), 1.0)) if name == "deblur" else TASKS[name]
    found = task(image)
    assert np.isfinite(found).all() and found.ndim == image.ndim


@pytest.mark.parametrize("name", ["upscale, dictionary", "inpaint, dictionary"])
@pytest.mark.parametrize("shape", [(1, 9), (9, 1), (1, 1, 3)])
def test_images_smaller_than_an_atom_are_refused(name, shape):
    with pytest.raises(ValueError, match="smaller than a patch of 3 × 3"):
        TASKS[name](random_image(*shape))


@pytest.mark.parametrize("name", [name for name in TASKS if "dictionary" in name])
def test_images_about_as_large_as_an_atom_have_results(name):
    assert np.isfinite(TASKS[name](random_image(4, 3))).all()


@pytest.mark.parametrize(
    "name", ["upscale", "inpaint", "upscale, dictionary", "inpaint, dictionary"]
)
@pytest.mark.parametrize("shape", [(20, 17), (20, 17, 3)])
def test_16_bits_are_on_the_scale_of_8_bits(name, shape):
    small = random_image(*shape)
    found = TASKS[name](small.astype(np.uint16) * 257) / 257
    np.testing.assert_allclose(found, TASKS[name](small), atol=0.05)


@pytest.mark.parametrize("name", WITHOUT_DICTIONARY)
@pytest.mark.parametrize("dtype", [np.uint16, np.int16, np.bool_, np.float32, np.float16])
def test_types_of_images_have_results_in_float64(name, dtype):
    image = (random_image(20, 17, dtype=np.uint8) // 2).astype(dtype)
    found = TASKS[name](image)
    assert found.dtype == np.float64 and np.isfinite(found).all()


@pytest.mark.parametrize("name", WITHOUT_DICTIONARY)
def test_three_equal_channels_remain_grey(name):
    grey = random_image(20, 17)
    found = TASKS[name](np.stack([grey] * 3, axis=-1))
    np.testing.assert_allclose(found[..., 1], found[..., 0], atol=1e-9)
    np.testing.assert_allclose(found[..., 2], found[..., 0], atol=1e-9)


@pytest.mark.parametrize("name", WITHOUT_DICTIONARY)
def test_infinite_and_missing_values_are_refused_with_their_position(name):
    for value in (np.nan, np.inf, -np.inf, 1e9):
        image = random_image(20, 17).astype(np.float64)
        image[0, 0] = value
        with pytest.raises(ValueError, match="the pixel in row 0, column 0 is not finite"):
            TASKS[name](image)
