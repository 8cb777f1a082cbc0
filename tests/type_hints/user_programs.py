"""Programs of users, for mypy: what is right has the stated types, what is wrong is found.

mypy reports a comment `type: ignore` for which there is no error, see `warn_unused_ignores` in
pyproject.toml. Nothing here is executed.
"""

from typing import assert_type

import numpy as np
from numpy.typing import NDArray

import ezdl_cli as ez
from ezdl_cli.gabor.fit import Gabor
from ezdl_cli.learn.estimators import EZDL
from ezdl_cli.restoration.denoising_parameters import DenoisingParameters
from ezdl_cli.restoration.noise_estimate import NoiseEstimate
from ezdl_cli.samples.whitening import Whitening

rng = np.random.default_rng(0)
x: NDArray[np.float64] = rng.standard_normal((20, 16))
image: NDArray[np.uint8] = ez.read_grey("photo.png")
W = ez.default_dictionary()


def sparseness_and_projections() -> None:
    assert_type(ez.sparseness([[1.0, 2.0]], axis=0), np.float64 | NDArray[np.float64])
    assert_type(ez.project(x, 0.8), NDArray[np.floating])
    assert_type(
        ez.project([1.0, 2.0], sparseness=0.8, norm=1, solver="halley", out=None),
        NDArray[np.floating],
    )
    assert_type(ez.projection_gradient(x, 0.8, x, norm=None), NDArray[np.floating])
    ez.project(x, "0.8")  # type: ignore[arg-type]
    ez.project(x, 0.8, solver="fastest")  # type: ignore[arg-type]
    ez.project(x)  # type: ignore[call-arg]
    ez.projection_gradient(x, 0.8)  # type: ignore[call-arg]
    ez.sparseness(x, axis="rows")  # type: ignore[arg-type]


def codes() -> None:
    assert_type(ez.lasso(x, x, 0.5), NDArray[np.floating])
    assert_type(ez.ormp(x.tolist(), x, n_nonzero=3, max_error=1e-3), NDArray[np.floating])
    assert_type(ez.filter_responses(image, W, method="direct"), NDArray[np.floating])
    ez.lasso(x, x, None)  # type: ignore[arg-type]
    ez.ormp(x, x, 3, tolerance=1.0)  # type: ignore[call-arg]
    ez.filter_responses(image, W, "fast")  # type: ignore[arg-type]


def learning() -> None:
    learned = ez.EZDL(64, sparseness=0.8, inference="topographic", grid=(8, 8), random_state=rng)
    assert_type(learned, EZDL)
    assert_type(learned.fit(x).partial_fit(ez.Samples(image)), EZDL)
    assert_type(learned.transform(x), NDArray[np.floating])
    assert_type(learned.inverse_transform(learned.transform(x)), NDArray[np.floating])
    assert_type(learned.score(x), float)
    assert_type(learned.set_output(transform="pandas").set_params(sparseness=0.9), EZDL)
    assert_type(learned.fit_transform(x), NDArray[np.floating])
    assert_type(learned.get_feature_names_out(), NDArray[np.object_])
    assert_type(learned.components_, NDArray[np.floating])
    assert_type(learned.history_, list[float])
    assert_type(learned.n_iter_, int)
    assert_type(learned.sparseness, float)
    ez.ODL(alpha=0.5, callback=lambda epoch, W: print(epoch, W.shape))
    ez.RLSDLA(n_nonzero=4, forgetting_samples=1000, random_state=None)
    ez.EZDL(n_components=2.5)  # type: ignore[arg-type]
    ez.EZDL(inference="ordinal")  # type: ignore[arg-type]
    ez.EZDL(grid=8)  # type: ignore[arg-type]
    ez.EZDL(random_state="abc")  # type: ignore[arg-type]
    ez.ODL(callback="print")  # type: ignore[arg-type]
    ez.ODL(callback=lambda epoch: None)  # type: ignore[misc, arg-type]
    ez.RLSDLA(n_nonzero="4")  # type: ignore[arg-type]
    ez.EZDL(4, nonsense=3)  # type: ignore[call-arg]
    ez.ODL(4, n_nonzero=3)  # type: ignore[call-arg]
    ez.RLSDLA(4, 2, 0.99, None, 3, 100, 0, None, 1)  # type: ignore[call-arg]
    learned.fit()  # type: ignore[call-arg]
    learned.fit(None)  # type: ignore[arg-type]
    learned.set_output(transform="numpy")  # type: ignore[arg-type]
    print(learned.history_.shape)  # type: ignore[attr-defined]
    print(learned.n_atoms)  # type: ignore[attr-defined]
    print(learned.fit(x).component_)  # type: ignore[attr-defined]


def samples() -> None:
    patches = ez.Samples(ez.extract_patches(image, 8, 100, seed=rng), name="patches")
    assert_type(patches.n_samples, int)
    assert_type(len(patches), int)
    assert_type(patches.pick([0, 1]), NDArray[np.floating])
    assert_type(patches.fingerprint(), str)
    whitening = ez.fit_whitening(patches, n_components=10)
    assert_type(whitening, Whitening)
    assert_type(whitening.whitening, NDArray[np.float64])
    assert_type(whitening.inverse_transform(whitening.transform(x)), NDArray[np.floating])
    ez.extract_patches(image, 8)  # type: ignore[call-arg]
    ez.extract_patches(image, "8", 100)  # type: ignore[arg-type]
    ez.fit_whitening(patches, "10")  # type: ignore[arg-type]
    print(patches.size)  # type: ignore[attr-defined]
    ez.Samples()  # type: ignore[call-arg]


def restoration() -> None:
    assert_type(ez.denoise(image), NDArray[np.float64])
    assert_type(ez.denoise(image, 20.0, W, rules="authors", adapt=False), NDArray[np.float64])
    assert_type(ez.inpaint(image, mask=[[0, 1]], W=W, white=1.0), NDArray[np.float64])
    assert_type(ez.upscale(image, 3, schedule=(40.0, 3.0, 12)), NDArray[np.float64])
    assert_type(ez.deblur(image, np.eye(3), 2.0, callback=print), NDArray[np.float64])
    assert_type(ez.reproduce(image, W, 0.8, n_iterations=10), NDArray[np.float64])
    assert_type(ez.estimate_noise(image), NoiseEstimate)
    assert_type(ez.estimate_noise(image).channel_sigmas, tuple[float, ...])
    prior = ez.DenoisingPrior(W, DenoisingParameters(window=16), white=1.0)
    prior.adapt(image, sigma=20.0)
    assert_type(prior(image, 20.0, guide=image), NDArray[np.float64])
    ez.denoise(image, rules="theirs")  # type: ignore[arg-type]
    ez.denoise(image, 20.0, W, 32, "ezdl")  # type: ignore[call-arg]
    ez.inpaint(image)  # type: ignore[call-arg]
    ez.upscale(image, factor=1.5)  # type: ignore[arg-type]
    ez.deblur(image, np.eye(3), schedule=12)  # type: ignore[arg-type]
    ez.reproduce(image, W, sparseness=None)  # type: ignore[arg-type]
    DenoisingParameters(radius=3)  # type: ignore[call-arg]
    prior.adapt(image)  # type: ignore[call-arg]


def analysis() -> None:
    assert_type(W, NDArray[np.float32])
    found = ez.fit_gabor(np.zeros((8, 8)), start=(4.0, 4.0, 2.0, 2.0, 0.0, 0.1))
    assert_type(found, Gabor | list[Gabor])
    assert isinstance(found, Gabor)
    assert_type(found.n_x, float)
    assert_type(found.render(8, 8), NDArray[np.float64])
    assert_type(found.reason, str)
    print(found.sigma)  # type: ignore[attr-defined]
    ez.fit_gabor(W, start="left")  # type: ignore[arg-type]
    ez.read_grey(None)  # type: ignore[arg-type]


def names() -> None:
    assert_type(ez.__version__, str)
    assert_type(ez.__all__, list[str])
    ez.denoize(image)  # type: ignore[attr-defined]
