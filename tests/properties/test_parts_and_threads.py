"""Results have the same bits for any number of threads and any size of chunks."""

import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from helpers.hard_numbers import SEEDS, TYPES, share
from hypothesis import given
from hypothesis import strategies as st

import ezdl_cli as ez
from ezdl_cli.commands import project as project_command
from ezdl_cli.learn import ezdl
from ezdl_cli.restoration.denoising import Denoiser
from ezdl_cli.restoration.denoising_parameters import DenoisingParameters
from ezdl_cli.samples import patches
from ezdl_cli.samples import store as samples
from ezdl_cli.samples.whitening import whiten

ATOMS = np.random.default_rng(0).standard_normal((40, 16))


def coder(inference, iterations=1):
    learned = ez.EZDL(
        len(ATOMS), 0.7, inference=inference, pooling=3, transform_iterations=iterations
    )
    learned.components_ = ATOMS / np.linalg.norm(ATOMS, axis=1, keepdims=True)
    learned.n_features_in_ = ATOMS.shape[1]
    return learned.transform


ROW_FUNCTIONS = {
    "project": lambda X: ez.project(X, 0.8),
    "gradient": lambda X: ez.projection_gradient(X, 0.8, X[:, ::-1]),
    "sparseness": ez.sparseness,
    "lasso": lambda X: ez.lasso(X, ATOMS.astype(X.dtype), 0.5),
    "ormp": lambda X: ez.ormp(X, ATOMS.astype(X.dtype), 5),
    "ordinary": coder("ordinary"),
    "landweber": coder("ordinary", 5),
    "topographic": coder("topographic"),
    "rank": coder("rank"),
}


@pytest.mark.parametrize("name", ROW_FUNCTIONS)
@share(0.2)
@given(SEEDS, TYPES, st.lists(st.integers(1, 150), max_size=3), st.integers(1, 3))
def test_rows_do_not_depend_on_their_chunk_or_on_threads(name, seed, dtype, splits, n_threads):
    X = np.random.default_rng(seed).standard_normal((150, 16)).astype(dtype)
    expected = ROW_FUNCTIONS[name](X)
    parts = [part for part in np.split(X, sorted(splits)) if len(part)]
    with ThreadPoolExecutor(n_threads) as pool:
        np.testing.assert_array_equal(
            np.concatenate(list(pool.map(ROW_FUNCTIONS[name], parts))), expected
        )


@pytest.fixture
def threads(monkeypatch):
    """Return a function that sets the number of threads, whatever the number of cores."""
    monkeypatch.setattr("os.sched_getaffinity", lambda _: set(range(8)))
    return lambda number: monkeypatch.setenv("EZDL_THREADS", str(number))


def estimator(cls, **parameters):
    learned = cls(len(ATOMS), **parameters)
    learned.components_, learned.n_features_in_ = ATOMS, ATOMS.shape[1]
    return learned.transform


THREADED = {
    "lasso": lambda X: ez.lasso(X, ATOMS, 0.5),
    "ormp": lambda X: ez.ormp(X, ATOMS, 5, max_error=0.1),
    "EZDL": coder("ordinary"),
    "EZDL, iterations": coder("ordinary", 5),
    "EZDL, rank": coder("rank"),
    "ODL": estimator(ez.ODL, alpha=0.5),
    "RLSDLA": estimator(ez.RLSDLA),
    "reproduce": lambda X: ez.reproduce(X[:72].reshape(-1, 72), ATOMS, 0.8, 3),
    "fit_gabor": lambda X: np.array([repr(fit) for fit in ez.fit_gabor(X[:5].reshape(-1, 4, 4))]),
}


@pytest.mark.parametrize("name", THREADED)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_codes_and_fits_do_not_depend_on_threads(threads, name, dtype, monkeypatch):
    # Several parts from a few samples, and some of very different scales.
    for module in ("coding.lasso", "coding.ormp", "learn.ezdl_codes", "learn.dictionary_estimator"):
        monkeypatch.setattr(f"ezdl_cli.{module}.PART_SAMPLES", 70)
    monkeypatch.setattr("ezdl_cli.coding.landweber.PART_SAMPLES", 64)
    X = np.random.default_rng(7).standard_normal((333, 16)).astype(dtype)
    X[100] *= 1e-30
    results = []
    for number in (1, 2, 3):
        threads(number)
        results.append(THREADED[name](X))
    np.testing.assert_array_equal(results[0], results[1])
    np.testing.assert_array_equal(results[0], results[2])


@pytest.mark.parametrize("colours", [False, True])
def test_denoising_does_not_depend_on_threads_and_tiles(threads, colours):
    shape = (75, 140, 3) if colours else (75, 140)
    image = np.random.default_rng(1).integers(0, 256, shape, dtype=np.uint8)
    results = []
    for number, tile in ((1, 1000), (2, 41), (3, 90)):
        threads(number)
        results.append(ez.denoise(image, 40.0, ATOMS, 5, tile=tile))
    np.testing.assert_array_equal(results[0], results[1])
    np.testing.assert_array_equal(results[0], results[2])


def test_noise_levels_and_adapted_atoms_do_not_depend_on_threads(threads):
    image = np.random.default_rng(1).integers(0, 256, (40, 50), dtype=np.uint8)
    denoisers = []
    for number in (1, 3):
        threads(number)
        denoisers.append(Denoiser(image, None, ATOMS, DenoisingParameters()))
    assert denoisers[0].sigmas == denoisers[1].sigmas
    first, second = (denoiser.dictionaries[0] for denoiser in denoisers)
    np.testing.assert_array_equal(first.W, second.W)


@pytest.mark.parametrize("dtype", [np.uint8, np.float32, np.float64])
def test_whitening_depends_neither_on_threads_nor_on_chunks(threads, monkeypatch, dtype):
    x = np.random.default_rng(2).integers(0, 256, (2000, 16)).astype(dtype)
    found = []
    for number, size in ((1, 5000), (2, 5000), (3, 5000), (2, 999), (2, 1 << 22)):
        threads(number)
        monkeypatch.setattr(samples, "CHUNK_BYTES", size * np.dtype(dtype).itemsize)
        whitening = ez.fit_whitening(x, 9)
        with whiten(samples.Samples(x), whitening) as blocks:
            found.append((whitening.whitening, np.concatenate(list(blocks))))
    for matrix, z in found[1:]:  # integers: sums of products are exact in any order
        np.testing.assert_array_equal(matrix, found[0][0])
        np.testing.assert_array_equal(z, found[0][1])


@share(0.3)
@given(SEEDS, st.integers(1, 40), st.integers(1, 3000))
def test_patches_do_not_depend_on_chunks(seed, count, size):
    image = np.random.default_rng(seed).integers(0, 3, (12, 15), dtype=np.uint8)
    expected = ez.extract_patches(image, 4, count, seed)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(patches, "CHUNK_BYTES", size)
        np.testing.assert_array_equal(ez.extract_patches(image, 4, count, seed), expected)


@pytest.mark.parametrize("noise", [0.0, 0.1])
@pytest.mark.parametrize("chunk", [64, 192, 1 << 20])
def test_ezdl_does_not_depend_on_chunks(monkeypatch, noise, chunk):
    """As long as these are complete batches, whose responses are computed together."""
    x = np.random.default_rng(3).standard_normal((500, 16))

    def learned():
        learner = ez.EZDL(20, 0.7, n_epochs=2, samples_per_epoch=1500, noise=noise, random_state=0)
        return learner.fit(x).components_

    expected = learned()
    monkeypatch.setattr(ezdl, "CHUNK_SAMPLES", chunk)
    np.testing.assert_array_equal(learned(), expected)


@pytest.mark.parametrize("solver", ["auto", "newton_sqr"])
@share(0.3)
@given(SEEDS, TYPES, st.sampled_from([(7,), (9, 5), (3, 4, 70)]), st.integers(1, 300))
def test_project_command_does_not_depend_on_chunks(
    tmp_path_factory, solver, seed, dtype, shape, entries
):
    folder = tmp_path_factory.mktemp("project")
    x = np.random.default_rng(seed).standard_normal(shape).astype(dtype)
    np.save(folder / "x.npy", x)
    arguments = [str(folder / "x.npy"), str(folder / "y.npy"), "--sparseness", "0.8"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(project_command, "CHUNK_ENTRIES", entries)
        project_command.command.main([*arguments, "--solver", solver], standalone_mode=False)
    np.testing.assert_array_equal(np.load(folder / "y.npy"), ez.project(x, 0.8, solver=solver))


# Sizes for which OpenBLAS rounds differently with one and two threads, unless it is limited.
PUBLIC_CALLS = """
import hashlib
import numpy as np
import ezdl_cli as ez

def report(name, *arrays):
    content = b"".join(np.ascontiguousarray(array).tobytes() for array in arrays)
    print(name, hashlib.sha256(content).hexdigest())

rng = np.random.default_rng(0)
pixels = rng.integers(0, 256, (12_000, 256), dtype=np.uint8)
found = ez.fit_whitening(pixels, 128)
report("fit_whitening", found.whitening, found.dewhitening, found.mean, found.variances)
floats = ez.fit_whitening(pixels / 77.0, 128)
report("fit_whitening of floats", floats.whitening)
x = rng.standard_normal((500, 256))
report("Whitening", found.transform(x), found.inverse_transform(x[:, :128]))
learned = ez.EZDL(1000, n_epochs=1, samples_per_epoch=300, random_state=0).fit(x[:, :64])
codes = learned.transform(x[:, :64])
report("EZDL", learned.components_, codes, learned.inverse_transform(codes))
report("inverse_transform", learned.inverse_transform(rng.standard_normal((500, 1000))))
for learner in (ez.ODL, ez.RLSDLA):
    learned = learner(64, n_epochs=1, samples_per_epoch=300, random_state=0).fit(x[:, :64])
    report(learner.__name__, learned.components_, learned.transform(x[:, :64]))
report("lasso", ez.lasso(x, x[:300], 10.0))
image = 50.0 * rng.standard_normal((64, 96, 3)) + 127.0
report("denoise", ez.denoise(image, window=4))
report("reproduce", ez.reproduce(image[..., 0], ez.default_dictionary(), 0.9, 3))
"""


def test_public_functions_do_not_depend_on_blas_threads(run):
    def output(n_threads):
        done = run(sys.executable, "-c", PUBLIC_CALLS, env={"OPENBLAS_NUM_THREADS": n_threads})
        assert done.returncode == 0, done.stderr
        return done.stdout.splitlines()

    single, double = output("1"), output("2")
    assert len(single) == 10
    assert single == double
