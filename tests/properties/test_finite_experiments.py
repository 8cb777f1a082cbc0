"""Finite images and atoms have finite results in all that is built on codes, or are rejected."""

import numpy as np
from helpers.hard_numbers import SEEDS, TYPES, assert_finite, matrices, refused_or, share
from hypothesis import given
from hypothesis import strategies as st

import ezdl_cli as ez
from ezdl_cli.experiments import topography
from ezdl_cli.experiments.resemblance import best_cosines, shuffled
from ezdl_cli.restoration.noise_level import estimate_noise_level
from ezdl_cli.restoration.quality import ssim_and_psnr

# Binary exponents of grey values; a million is the limit, in units of white.
GREY = [-1074, -60, -20, 0, 0, 7, 7, 8, 12, 19]


@given(st.data())
def test_whitening_and_its_inverse_are_finite(data):
    x = data.draw(matrices(data.draw(TYPES), (2, 30), (2, 6)))
    n_components = data.draw(st.integers(1, x.shape[1] - 1))
    found = refused_or(lambda: ez.fit_whitening(x, n_components))
    if found is not None:
        assert_finite(found.whitening, found.dewhitening, found.mean, found.variances)
        z = found.transform(x)
        assert_finite(z, found.inverse_transform(z))


@share(0.4)
@given(st.data(), st.sampled_from([0.0, 0.1, 25.0, 1e6]), st.booleans())
def test_denoised_images_are_finite(data, sigma, colours):
    side = data.draw(st.sampled_from([2, 3, 4]))
    W = data.draw(matrices(data.draw(TYPES), (1, 9), 2 * (side**2,)))
    channels = [small_image(data, side) for _ in range(3 if colours else 1)]
    image = np.stack([np.resize(one, channels[0].shape) for one in channels], axis=-1)
    image = image if colours else image[..., 0]
    white = data.draw(st.sampled_from([1e-300, 1.0, 255.0, 1e300]))
    unit = white / 255.0
    clean = refused_or(lambda: ez.denoise(image * unit, sigma * unit, W, 4, white=white))
    assert_finite(clean)
    assert clean is None or clean.shape == image.shape


def small_image(data, side):
    """Draw an image hardly larger than a patch, in double precision."""
    return data.draw(matrices(np.float64, (side, 9), (side, 9), exponents=GREY))


@share(0.05)
@given(st.data(), st.sampled_from([1.0, 1e6]))
def test_images_denoised_with_adapted_atoms_are_finite(data, sigma):
    W = data.draw(matrices(np.float32, (5, 9), (9, 9)))
    image = small_image(data, 3)
    assert_finite(refused_or(lambda: ez.denoise(image, sigma, W, 4, adapt=True)))


@given(st.data())
def test_noise_levels_are_finite_and_not_negative(data):
    patches = data.draw(matrices(np.float64, (1, 12), (64, 64), exponents=GREY))
    level = estimate_noise_level(np.repeat(patches, 30, axis=0))
    assert 0.0 <= level < 2.0**20


@share(0.7)
@given(st.data())
def test_gabor_fits_are_finite_or_have_a_reason(data):
    atom = data.draw(matrices(data.draw(TYPES), (2, 6), (2, 6)))
    fit = refused_or(lambda: ez.fit_gabor(atom))
    if fit.reason in ("not finite", "constant", "too small"):
        assert np.isnan(fit.A)
    else:
        assert_finite([value for name, value in vars(fit).items() if name != "reason"])
        assert_finite(fit.render(*atom.shape))


@given(SEEDS, st.integers(11, 14), st.integers(11, 14), st.sampled_from([0.0, 1.0, 1e6]))
def test_ssim_and_psnr_are_finite_unless_images_are_equal(seed, height, width, scale):
    random = np.random.default_rng(seed)
    image = random.integers(0, 256, (height, width)) * random.integers(0, 2)
    made = image + scale * random.standard_normal(image.shape)
    ssim, psnr = ssim_and_psnr(image.astype(np.uint8), made)
    assert -1.0 <= ssim <= 1.0 + 1e-12
    assert np.isfinite(psnr) or (psnr == np.inf and scale == 0.0)


@given(st.data(), SEEDS)
def test_cosines_of_atoms_are_between_0_and_1(data, seed):
    side = data.draw(st.integers(2, 4))
    dtype = data.draw(TYPES)
    W, others = (data.draw(matrices(dtype, (1, 9), 2 * (side**2,))) for _ in range(2))
    for cosines in (best_cosines(W, others), best_cosines(shuffled(W, seed), W)):
        assert ((cosines >= 0.0) & (cosines <= 1.0 + 1e-12)).all()
    np.testing.assert_allclose(best_cosines(W, W), W.any(axis=1), atol=1e-12)


@given(st.data())
def test_measures_of_topography_are_finite(data):
    side = data.draw(st.integers(1, 4))
    W = data.draw(matrices(data.draw(TYPES), (2, 9), 2 * (side**2,)))
    spectra = topography.power_spectra(W, side)
    assert_finite(spectra)
    empty = ~W.any(axis=1)
    for numbers in (topography.spectral_centroids(W, side), topography.rank_ratios(W, side)):
        np.testing.assert_array_equal(np.isnan(numbers), empty)  # as documented
    found = topography.similarity(spectra, topography.neighbours((1, len(W))), 5)
    assert_finite([found.mean, found.permuted_mean, found.permuted_deviation])
    assert np.isfinite(found.score) or found.permuted_deviation == 0.0
