"""Speed of the learners and of their codes, one thread, as ratios within one run.

    python -m ezdl_cli.bench.learning PATCHES.npy

Time of a sample, beside that of EZDL and that of SPAMS (PyPI `spams-bin`: `trainDL`, `lasso`,
`omp`), if it is installed, on the same samples. Contenders take turns, the least time of each
counts.
"""

import argparse
import os

for _library in ("OMP", "OPENBLAS", "MKL"):
    os.environ[f"{_library}_NUM_THREADS"] = "1"

import numpy as np  # noqa: E402

from .. import io  # noqa: E402
from ..coding.lasso import lasso  # noqa: E402
from ..coding.ormp import ormp  # noqa: E402
from ..learn import ezdl, odl, rls_dla  # noqa: E402
from ..learn.training import initial_dictionary  # noqa: E402
from ..samples import Samples  # noqa: E402
from ..timing import least_times  # noqa: E402

N_SAMPLES = 30_000
REFERENCE = "EZDL, sparseness 0.99"
# Name, parameters, and the penalty of SPAMS's trainDL to compare with.
LEARNERS = [
    (REFERENCE, ezdl.Parameters(sparseness=0.99), 2.0),
    ("EZDL, sparseness 0.85", ezdl.Parameters(sparseness=0.85), 2.0),
    ("EZDL, sparseness 0.75", ezdl.Parameters(sparseness=0.75), 2.0),
    ("EZDL, topographic 0.85", ezdl.Parameters(sparseness=0.85, inference="topographic"), 2.0),
    ("EZDL, rank-1 0.85", ezdl.Parameters(sparseness=0.85, inference="rank"), 2.0),
    ("EZDL, rank-1 atoms 0.85", ezdl.Parameters(sparseness=0.85, atom_rank=1), 2.0),
    ("ODL, lambda 2", odl.Parameters(2.0), 2.0),
    ("ODL, lambda 0.5", odl.Parameters(0.5), 0.5),
    ("RLS-DLA, 4 nonzeros", rls_dla.Parameters(4), None),
    ("RLS-DLA, 16 nonzeros", rls_dla.Parameters(16), None),
]
# Those of the paper's claims on speed, which `ezdl bench epochs` times.
COMPARED = (
    REFERENCE,
    "EZDL, sparseness 0.85",
    "EZDL, topographic 0.85",
    "EZDL, rank-1 atoms 0.85",
    "ODL, lambda 2",
    "RLS-DLA, 4 nonzeros",
)
SPAMS_PENALTY = 2.0
# Name, the function of samples and atoms, and that of SPAMS with its options.
CODERS = [
    ("lasso codes, 2", lambda X, W: lasso(X, W, 2.0), "lasso", {"lambda1": 2.0, "mode": 2}),
    ("lasso codes, 0.5", lambda X, W: lasso(X, W, 0.5), "lasso", {"lambda1": 0.5, "mode": 2}),
    ("ORMP codes, 4", lambda X, W: ormp(X, W, 4), "omp", {"L": 4, "eps": 0.0}),
    ("ORMP codes, 16", lambda X, W: ormp(X, W, 16), "omp", {"L": 16, "eps": 0.0}),
]


def epoch_times(samples, names, n_atoms=256, n_samples=N_SAMPLES, repeats=3, advance=None):
    """Seconds of an epoch of the learners with these names, and of SPAMS if it is installed."""
    if len(samples) < n_atoms:
        raise ValueError(f"has {len(samples)} samples, fewer than {n_atoms} atoms")
    indices = np.random.default_rng(1).integers(len(samples), size=n_samples)
    contenders = {
        name: learner_contender(samples, indices, parameters.settled(n_atoms), n_atoms)
        for name, parameters, _ in LEARNERS
        if name in names
    }
    some = np.resize(indices, max(n_samples, n_atoms))
    peers = spams_contenders(samples.pick(some), n_atoms, n_samples)
    name = f"trainDL {SPAMS_PENALTY}"
    contenders |= {f"SPAMS {key}": peer for key, peer in peers.items() if key == name}
    return least_times(contenders, repeats, advance)


def learner_contender(samples, indices, parameters, n_atoms):
    """An epoch from the start, and again."""
    W = initial_dictionary(samples, n_atoms, 0, parameters)
    learner = parameters.learner(W, 100 * len(indices))
    stream = np.random.default_rng(1)
    return lambda: None, lambda: learner.learn(samples, indices, 5, stream)


def spams_contenders(X, n_atoms, n_samples=N_SAMPLES):
    """The same by SPAMS, or nothing if it is not installed."""
    try:
        import spams
    except ImportError:
        return {}
    columns = np.asfortranarray(X.T)
    D = np.asfortranarray(columns[:, :n_atoms] / np.linalg.norm(columns[:, :n_atoms], axis=0))
    batches = {"mode": 2, "batchsize": 512, "iter": -(-n_samples // 512), "verbose": False}

    def contender(function, **options):
        return lambda: None, lambda: getattr(spams, function)(columns, D=D, numThreads=1, **options)

    trained = {f"trainDL {p}": contender("trainDL", lambda1=p, **batches) for p in (2.0, 0.5)}
    coded = {f"SPAMS {name}": contender(f, **options) for name, _, f, options in CODERS}
    return trained | coded


def measure(samples, n_atoms=256, repeats=5):
    """Microseconds a sample of each contender."""
    indices = np.random.default_rng(1).integers(len(samples), size=N_SAMPLES)
    X = samples.pick(indices)
    W = X[:n_atoms] / np.linalg.norm(X[:n_atoms], axis=1, keepdims=True)
    contenders = {
        name: learner_contender(samples, indices, parameters, n_atoms)
        for name, parameters, _ in LEARNERS
    }
    for name, code, *_ in CODERS:
        contenders[name] = (lambda: None, lambda code=code: code(X, W))
    contenders |= spams_contenders(X, n_atoms)
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
    peers = {name: f"trainDL {penalty}" for name, _, penalty in LEARNERS}
    peers |= {name: f"SPAMS {name}" for name, *_ in CODERS}
    for name, peer in peers.items():
        faster = f"{times[peer] / times[name]:6.1f} x faster than SPAMS" if peer in times else ""
        ratio = times[name] / times[REFERENCE]
        print(f"{name:26} {times[name]:7.2f} us a sample {ratio:6.2f} x EZDL {faster}")


if __name__ == "__main__":
    main()
