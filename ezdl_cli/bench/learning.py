"""Speed of EZDL, one thread, as ratios within one run.

    python -m ezdl_cli.bench.learning PATCHES.npy

Time of a sample for the inference models and sparseness degrees; and of SPAMS's online dictionary
learning (`trainDL`, PyPI `spams-bin`), if it is installed, on the same samples. Contenders take
turns, the least time of each counts.
"""

import argparse
import os

for _library in ("OMP", "OPENBLAS", "MKL"):
    os.environ[f"{_library}_NUM_THREADS"] = "1"

import numpy as np  # noqa: E402

from .. import io  # noqa: E402
from ..learn.ezdl import Parameters, learn_epoch  # noqa: E402
from ..learn.training import initial_dictionary  # noqa: E402
from ..samples import Samples  # noqa: E402
from .projection import least_times  # noqa: E402

N_SAMPLES = 30_000
SPAMS_BATCH = 512
VARIANTS = {
    "EZDL, sparseness 0.99": Parameters(sparseness=0.99),
    "EZDL, sparseness 0.85": Parameters(sparseness=0.85),
    "EZDL, sparseness 0.75": Parameters(sparseness=0.75),
    "EZDL, topographic 0.85": Parameters(sparseness=0.85, inference="topographic"),
    "EZDL, rank-1 0.85": Parameters(sparseness=0.85, inference="rank"),
    "EZDL, rank-1 atoms 0.85": Parameters(sparseness=0.85, atom_rank=1),
}
SPAMS = "SPAMS trainDL, lambda 2"


def ezdl_contender(samples, parameters, n_atoms):
    """An epoch of EZDL from the start, and again."""
    W = initial_dictionary(samples, n_atoms, 0, parameters)
    indices = np.random.default_rng(1).integers(len(samples), size=N_SAMPLES)
    return lambda: None, lambda: learn_epoch(W, samples, indices, 5, parameters, None)


def spams_contender(samples, n_atoms):
    """As many samples by SPAMS in mini-batches, or None if it is not installed."""
    try:
        import spams
    except ImportError:
        return None
    indices = np.random.default_rng(1).integers(len(samples), size=N_SAMPLES)
    X = np.asfortranarray(samples.pick(indices).T)
    D = np.asfortranarray(X[:, :n_atoms] / np.linalg.norm(X[:, :n_atoms], axis=0))
    options = {"lambda1": 2.0, "mode": 2, "batchsize": SPAMS_BATCH, "numThreads": 1}
    rounds = N_SAMPLES // SPAMS_BATCH
    return lambda: None, lambda: spams.trainDL(X, D=D, iter=rounds, verbose=False, **options)


def measure(samples, n_atoms=256, repeats=5):
    """Microseconds a sample of each contender."""
    contenders = {
        name: ezdl_contender(samples, parameters, n_atoms) for name, parameters in VARIANTS.items()
    }
    peer = spams_contender(samples, n_atoms)
    if peer is not None:
        contenders[SPAMS] = peer
    times = least_times(contenders, repeats)
    return {name: 1e6 * seconds / N_SAMPLES for name, seconds in times.items()}


def main():
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("patches")
    parser.add_argument("--repeats", type=int, default=5)
    arguments = parser.parse_args()
    with io.open_samples(arguments.patches) as stored:
        samples = Samples(stored.array, "it", stored.stream)
        times = measure(samples, repeats=arguments.repeats)
    ordinary = times["EZDL, sparseness 0.85"]
    for name, time in times.items():
        peer = f"{times[SPAMS] / time:6.1f} x faster than SPAMS" if SPAMS in times else ""
        print(f"{name:26} {time:7.2f} us a sample {time / ordinary:6.2f} x ordinary {peer}")


if __name__ == "__main__":
    main()
