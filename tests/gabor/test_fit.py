"""Gabor functions fitted to atoms."""

import math

import numpy as np
import pytest
from scipy.optimize import approx_fprime, least_squares, minimize

import ezdl_cli as ez
from ezdl_cli.gabor.fit import MAX_OFFSET, MAX_WIDTH, MIN_WIDTH, Gabor
from ezdl_cli.gabor.model import jacobian, residual, squared_error
from ezdl_cli.gabor.nelder_mead import nelder_mead
from ezdl_cli.gabor.workspace import allocate_workspace

SHAPE = ("x0", "y0", "sigma_x", "sigma_y", "theta", "f")


def gabor(parameters, height, width):
    """Evaluate the formula independently; parameters are A, x0, y0, σx', σy', θ, f, φ."""
    amplitude, x0, y0, sigma_x, sigma_y, theta, f, phase = parameters
    y, x = np.mgrid[:height, :width]
    u = (x - x0) * np.cos(theta) + (y - y0) * np.sin(theta)
    v = -(x - x0) * np.sin(theta) + (y - y0) * np.cos(theta)
    envelope = np.exp(-((u / (np.sqrt(2) * sigma_x)) ** 2) - (v / (np.sqrt(2) * sigma_y)) ** 2)
    return amplitude * envelope * np.cos(2 * np.pi * f * u + phase)


def draw(rng, side):
    """Draw parameters with half a cycle to 6 cycles per patch, below the Nyquist frequency."""
    f = rng.uniform(0.5, min(6.0, 0.45 * side)) / side
    widths, centre = rng.uniform(1, 6, 2), rng.uniform(0, side - 1, 2)
    theta, phase = rng.uniform(0, np.pi), rng.uniform(0, 2 * np.pi)
    return np.array([rng.uniform(0.1, 3), *centre, *widths, theta, f, phase])


def noisy(rng, patch, decibels=20):
    return patch + rng.standard_normal(patch.shape) * patch.std() * 10 ** (-decibels / 20)


def error(atom, fit):
    return np.square(atom - fit.render(*atom.shape)).sum()


def fold(phase):
    return math.atan2(abs(math.sin(phase)), abs(math.cos(phase)))


@pytest.mark.parametrize("side", [8, 12, 16])
def test_parameters_are_recovered(side):
    rng = np.random.default_rng(side)
    for _ in range(40):
        parameters = draw(rng, side)
        fit = ez.fit_gabor(gabor(parameters, side, side))
        assert fit.r2 > 1 - 1e-9 and fit.reason == ""
        assert fit.f == pytest.approx(parameters[6], rel=0.03)
        turn = abs(fit.theta - parameters[5])
        assert min(turn, math.pi - turn) < math.radians(3)
        assert fit.phi == pytest.approx(fold(parameters[7]), abs=0.1)


@pytest.mark.parametrize("side", [8, 16])
def test_with_noise_no_fit_is_worse_than_least_squares_from_the_truth(side):
    rng = np.random.default_rng(side)
    for _ in range(25):
        parameters = draw(rng, side)
        atom = noisy(rng, gabor(parameters, side, side))
        truth = least_squares(
            lambda p, atom=atom: (gabor(p, side, side) - atom).ravel(), parameters, x_scale="jac"
        )
        fit = ez.fit_gabor(atom)
        assert fit.r2 >= 0.95
        assert error(atom, fit) <= 2 * truth.cost * (1 + 1e-5)


def test_no_fit_is_worse_than_scipy_from_the_same_start():
    side = 12
    rng = np.random.default_rng(0)
    ends = [(None, None), *[(-MAX_OFFSET * side, (1 + MAX_OFFSET) * side)] * 2]
    ends += [*[(MIN_WIDTH, MAX_WIDTH * side)] * 2, (None, None), (0.0, 0.5), (None, None)]
    for i in range(12):
        # Half of them are mostly noise.
        atom = noisy(rng, gabor(draw(rng, side), side, side), 10 if i % 2 else -10)
        atom /= np.linalg.norm(atom)
        start = draw(rng, side)
        best = minimize(
            lambda p, atom=atom: np.square(atom - gabor(p, side, side)).sum(),
            start,
            method="Nelder-Mead",
            bounds=ends,
        )
        assert error(atom, ez.fit_gabor(atom, start[1:7])) <= best.fun * (1 + 1e-6)


def test_nelder_mead_takes_the_steps_of_scipy():
    rng = np.random.default_rng(1)
    bounds = np.array([[-50.0] * 2 + [0.05] * 2 + [-50.0, 0.0], [50.0] * 5 + [1.0]])
    for _ in range(5):
        parameters = draw(rng, 10)
        workspace = allocate_workspace(noisy(rng, gabor(parameters, 10, 14)))
        start = parameters[1:7] * rng.uniform(0.9, 1.1, 6)
        peer = minimize(
            lambda p, workspace=workspace: squared_error(p, bounds, workspace)[0],
            start,
            method="Nelder-Mead",
            options={"maxfev": 1200},
        )
        found = start.copy()
        evaluations = nelder_mead(found, bounds, 1200, workspace)
        assert evaluations == peer.nfev
        np.testing.assert_allclose(found, peer.x, rtol=1e-9)


def test_jacobian_equals_finite_differences():
    parameters = np.array([6.1, 4.2, 2.3, 3.1, 0.7, 0.13, 0.9, -0.4])
    patch = np.random.default_rng(0).standard_normal((9, 13))
    workspace = allocate_workspace(patch)

    def differences(p):
        residual(p, workspace)
        return workspace.differences[0, : patch.size].copy()

    differences(parameters)
    jacobian(parameters, workspace)
    found = workspace.derivatives[:8, : patch.size].copy()
    numeric = approx_fprime(parameters, differences, 1e-7)
    np.testing.assert_allclose(found, -numeric.T, atol=1e-5)


@pytest.mark.parametrize("shape", [(8, 8), (16, 16), (7, 19), (20, 6), (1, 30)])
def test_fits_are_canonical_for_patches_of_any_shape(shape):
    rng = np.random.default_rng(2)
    for decibels in (20, 0, -20):
        atom = noisy(rng, gabor(draw(rng, 8), *shape), decibels)
        fit = ez.fit_gabor(atom)
        assert fit.A > 0 and fit.sigma_x > 0 and fit.sigma_y > 0 and fit.f >= 0
        assert 0 <= fit.theta < math.pi
        assert 0 <= fit.phi <= math.pi / 2
        assert fit.phi == pytest.approx(fold(fit.phase), abs=1e-12)
        assert fit.n_x == fit.sigma_x * fit.f and fit.n_y == fit.sigma_y * fit.f
        deviation = np.square(atom - atom.mean()).sum()
        assert fit.r2 == pytest.approx(1 - error(atom, fit) / deviation)


def test_fit_is_equivariant_to_scale_sign_and_transposition():
    atom = noisy(np.random.default_rng(4), gabor([1, 7, 9, 2, 3, 0.5, 0.2, 1.0], 16, 16))
    fit = ez.fit_gabor(atom)
    for scale in (1e-300, 1e300, -5.0):
        other = ez.fit_gabor(atom * scale)
        assert abs(other.A / scale) == pytest.approx(fit.A)
        for name in (*SHAPE, "phi", "r2"):
            assert getattr(other, name) == pytest.approx(getattr(fit, name), rel=1e-6), name
    other = ez.fit_gabor(np.ascontiguousarray(atom.T))
    assert (other.x0, other.y0) == pytest.approx((fit.y0, fit.x0))
    assert other.theta == pytest.approx(math.pi / 2 - fit.theta)
    assert ez.fit_gabor(atom.astype(np.float32)).f == pytest.approx(fit.f, rel=1e-4)


def test_squared_error_equals_that_of_the_best_amplitudes():
    rng = np.random.default_rng(3)
    bounds = np.array([[-50.0] * 2 + [0.05] * 2 + [-50.0, 0.0], [50.0] * 5 + [1.0]])
    for height, width in ((16, 16), (7, 19), (5, 3)):
        patch = rng.standard_normal((height, width))
        for _ in range(20):
            shape = draw(rng, 8)[1:7]
            error, a, b = squared_error(shape, bounds, allocate_workspace(patch))
            cosine, sine = (gabor([1, *shape, phase], height, width) for phase in (0, np.pi / 2))
            waves = np.column_stack([cosine.ravel(), sine.ravel()])
            best, expected, *_ = np.linalg.lstsq(waves, patch.ravel(), rcond=None)
            assert error == pytest.approx(expected[0], rel=1e-10)
            assert (a, b) == pytest.approx(tuple(best), rel=1e-6, abs=1e-9)


def test_fit_is_deterministic():
    atom = np.random.default_rng(5).standard_normal((10, 10))
    assert ez.fit_gabor(atom) == ez.fit_gabor(atom.copy())


def test_amplitude_stays_bounded_for_an_atom_without_a_wave():
    """A linear ramp under an envelope is the limit of lower and lower frequencies."""
    y, x = np.mgrid[:16, :16]
    atom = (x - 7.5) * np.exp(-((x - 7.5) ** 2 + (y - 7.5) ** 2) / (2 * 3.0**2))
    atom += 0.01 * np.random.default_rng(0).standard_normal(atom.shape)
    fit = ez.fit_gabor(atom)
    assert fit.r2 > 0.99 and fit.phi > 1.5
    assert 0 < fit.A / np.abs(atom).max() < 100 and fit.f > 0
    assert fit.sigma_x == pytest.approx(3, abs=0.2)


def blobs(*centres):
    y, x = np.mgrid[:16, :16]
    return sum(np.exp(-((x - cx) ** 2 + (y - cy) ** 2) / 4.5) for cx, cy in centres)


Y, X = np.mgrid[:16, :16]
NOT_GABOR = {
    "constant": np.full((8, 8), 3.7),
    "constant of zeros": np.zeros((8, 8)),
    "constant single": np.ones((1, 1)),
    "constant but for rounding": 1e9 + 1e-3 * np.random.default_rng(0).random((8, 8)),
    "constant of nothing": np.empty((0, 4)),
    "not finite": np.where(X == 3, np.nan, 1.0),
    "not finite infinity": np.where(X == 3, np.inf, 1.0),
    "too small": np.array([[1.0, -1.0], [0.5, 2.0]]),
    "checkerboard of pixels": (-1.0) ** (X + Y),
    "checkerboard of squares": (-1.0) ** (X // 4 + Y // 4),
    "checkerboard smooth": np.cos(2.0 * X / 2) * np.sin(1.5 * Y) * np.exp(-((X - 8) ** 2) / 20),
    "checkerboard turned": np.cos(X + 0.6 * Y) * np.cos(0.6 * X - Y),
    "several blobs": blobs((3, 3), (12, 4), (5, 13)),
    "several blobs apart": blobs((2, 2), (13, 13)) - blobs((13, 2), (3, 12)) * 0.2,
    "poor fit": np.random.default_rng(0).standard_normal((16, 16)),
}


@pytest.mark.parametrize("name", NOT_GABOR)
def test_reason_is_given_for_atoms_that_are_not_gabor_functions(name):
    fit = ez.fit_gabor(NOT_GABOR[name])
    assert name.startswith(fit.reason) and fit.reason
    has_values = not name.startswith(("constant", "not finite", "too small"))
    assert (
        np.isfinite([getattr(fit, one) for one in (*SHAPE, "A", "phi", "r2")]).all() == has_values
    )
    assert np.isfinite(fit.n_x) == has_values


@pytest.mark.parametrize("phase", [0.0, 0.7, math.pi / 2])
def test_gabor_functions_along_the_axes_are_not_checkerboards(phase):
    for theta in (0.0, math.pi / 2):
        atom = gabor([1, 8, 7, 3, 2.5, theta, 0.2, phase], 16, 16)
        assert ez.fit_gabor(noisy(np.random.default_rng(0), atom, 15)).reason == ""


def test_start_may_be_a_fit_or_far_away():
    atom = gabor([1, 7, 9, 2, 3, 0.5, 0.2, 1.0], 16, 16)
    fit = ez.fit_gabor(atom)
    assert isinstance(fit, Gabor)
    for start in (fit, [1e6, -1e6, -3.0, 0.0, 100.0, 7.0]):
        assert ez.fit_gabor(atom, start).r2 >= fit.r2 - 1e-12


def test_several_atoms_get_the_fits_of_single_atoms():
    atoms = np.random.default_rng(6).standard_normal((3, 6, 7))
    start = [3.0, 3.0, 2.0, 2.0, 0.5, 0.2]
    assert ez.fit_gabor(atoms, start) == [ez.fit_gabor(atom, start) for atom in atoms]
    assert ez.fit_gabor(atoms[:0]) == []


@pytest.mark.parametrize(
    ("atom", "start"),
    [
        (np.ones(9), None),
        (np.ones((2, 3, 3, 3)), None),
        (np.ones((4, 4), complex), None),
        (np.eye(4), [1, 2, 3]),
        (np.eye(4), [1, 2, 3, 4, 5, np.nan]),
    ],
)
def test_invalid_arguments_are_rejected(atom, start):
    with pytest.raises(ValueError):
        ez.fit_gabor(atom, start)
