"""Benchmarks of the learners: time per sample, and quality of their dictionaries."""

import numpy as np

from ...learn.ezdl import EZDLParameters
from ...learn.odl import ODLParameters
from ...learn.rls_dla import RLSDLAParameters
from ...learn.training import initial_dictionary, train
from ...restoration.quality import ssim_and_psnr, to_uint8
from ...restoration.reproduction import reproduce
from ..benchmark_group import BenchmarkGroup, Quality
from ..interleaved_timing import Candidate
from .machine_limits import matrix_product, sorting
from .peers import sklearn_training, spams_training
from .photographs import patches, photograph

N_ATOMS = 256
N_SAMPLES = 4096
N_FOR_SPAMS, N_FOR_SKLEARN = 8192, 512
PENALTY = 2.0
LEARNERS = {
    "EZDL, sparseness 0.99": EZDLParameters(sparseness=0.99),
    "EZDL, sparseness 0.85": EZDLParameters(sparseness=0.85),
    "EZDL, sparseness 0.75": EZDLParameters(sparseness=0.75),
    "EZDL, topographic 0.85": EZDLParameters(sparseness=0.85, inference="topographic"),
    "EZDL, rank-1 0.85": EZDLParameters(sparseness=0.85, inference="rank"),
    "EZDL, rank-1 atoms 0.85": EZDLParameters(sparseness=0.85, atom_rank=1),
    "ODL, lambda 2": ODLParameters(PENALTY),
    "ODL, lambda 0.5": ODLParameters(0.5),
    "RLS-DLA, 4 nonzeros": RLSDLAParameters(4),
    "RLS-DLA, 16 nonzeros": RLSDLAParameters(16),
}
EVALUATED = (
    "EZDL, sparseness 0.99",
    "EZDL, sparseness 0.85",
    "EZDL, topographic 0.85",
    "EZDL, rank-1 atoms 0.85",
    "ODL, lambda 2",
    "RLS-DLA, 4 nonzeros",
)
"""Learners whose dictionaries are evaluated, after `N_EPOCHS` epochs."""
N_EPOCHS, SAMPLES_PER_EPOCH = 5, 8192
SEED = 0


def learning(side, names=tuple(LEARNERS)):
    """Time per sample, for patches of side² pixels."""
    samples = patches(side)
    indices = np.random.default_rng(1).integers(len(samples), size=N_FOR_SPAMS)
    X = samples.pick(indices)
    ours = [
        epoch_candidate(name, LEARNERS[name], samples, indices[:N_SAMPLES], N_ATOMS)
        for name in names
    ]
    limits = [matrix_product(side**2, N_ATOMS), sorting()]
    peers = [
        spams_training(X, N_ATOMS, PENALTY),
        sklearn_training(X[:N_FOR_SKLEARN], N_ATOMS, PENALTY),
    ]
    about = (
        f"{N_ATOMS} atoms are learned from {N_SAMPLES} patches of {side} × {side} pixels, by one "
        "pass as in the fifth epoch. Other programs solve the problem of ODL."
    )
    return BenchmarkGroup([*ours, *limits, *peers], "sample", about=about)


def epoch_candidate(name, parameters, samples, indices, n_atoms):
    """Return an epoch of a learner, which continues to learn from round to round."""
    parameters = parameters.resolve(n_atoms)
    W = initial_dictionary(samples, n_atoms, SEED, parameters)
    learner = parameters.learner(W, 100 * len(indices))
    rng = np.random.default_rng(1)
    # The fifth epoch: by then the codes are as sparse as in most of the training.
    return Candidate(name, lambda: learner.learn(samples, indices, 5, rng), len(indices))


def learned_dictionaries():
    """Quality of dictionaries after a few epochs: how well they reproduce a photograph."""

    def qualities():
        found = {}
        image = photograph("reproduce/coins.png")
        for name in EVALUATED:
            W, statistics = _train(LEARNERS[name].resolve(N_ATOMS), patches(8))
            reproduced = to_uint8(reproduce(image, W, 0.99, 10))
            found[f"{name}: SSIM"] = Quality(ssim_and_psnr(image, reproduced)[0], "SSIM")
            if "correlation" in statistics:
                found[f"{name}: correlation"] = Quality(statistics["correlation"], "correlation")
        return found

    about = (
        f"Dictionaries of {N_ATOMS} atoms after {N_EPOCHS} epochs of {SAMPLES_PER_EPOCH} patches "
        "of 8 × 8 pixels: SSIM of a photograph reproduced from codes of sparseness 0.99, and mean "
        "correlation of the patches with their approximations in the last epoch."
    )
    return BenchmarkGroup(qualities=qualities, about=about)


def _train(parameters, samples):
    """Return a dictionary, and the statistics of the last epoch."""
    W = initial_dictionary(samples, N_ATOMS, SEED, parameters)
    learner = parameters.learner(W, N_EPOCHS * SAMPLES_PER_EPOCH)
    history = []

    def record(epoch, learner, statistics):
        history.append(statistics)

    train(learner, samples, 1, N_EPOCHS, SAMPLES_PER_EPOCH, SEED, record)
    return learner.W, history[-1]
