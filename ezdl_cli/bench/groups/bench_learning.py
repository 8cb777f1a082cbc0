"""The learners: time of a sample or of an epoch, and how good their dictionaries are."""

import numpy as np

from ...learn import ezdl, odl, rls_dla
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
N_FOR_SPAMS = 8192
N_FOR_SKLEARN = 512
PENALTY = 2.0
LEARNERS = {
    "EZDL, sparseness 0.99": ezdl.EZDLParameters(sparseness=0.99),
    "EZDL, sparseness 0.85": ezdl.EZDLParameters(sparseness=0.85),
    "EZDL, sparseness 0.75": ezdl.EZDLParameters(sparseness=0.75),
    "EZDL, topographic 0.85": ezdl.EZDLParameters(sparseness=0.85, inference="topographic"),
    "EZDL, rank-1 0.85": ezdl.EZDLParameters(sparseness=0.85, inference="rank"),
    "EZDL, rank-1 atoms 0.85": ezdl.EZDLParameters(sparseness=0.85, atom_rank=1),
    "ODL, lambda 2": odl.ODLParameters(PENALTY),
    "ODL, lambda 0.5": odl.ODLParameters(0.5),
    "RLS-DLA, 4 nonzeros": rls_dla.RLSDLAParameters(4),
    "RLS-DLA, 16 nonzeros": rls_dla.RLSDLAParameters(16),
}
# Learners whose dictionaries are evaluated.
COMPARED = (
    "EZDL, sparseness 0.99",
    "EZDL, sparseness 0.85",
    "EZDL, topographic 0.85",
    "EZDL, rank-1 atoms 0.85",
    "ODL, lambda 2",
    "RLS-DLA, 4 nonzeros",
)
N_EPOCHS, SAMPLES_PER_EPOCH = 5, 8192
SEED = 0


def learning(side, names=tuple(LEARNERS)):
    """Time of a sample, patches of side² pixels."""
    samples = patches(side)
    indices = np.random.default_rng(1).integers(len(samples), size=N_FOR_SPAMS)
    X = samples.pick(indices)
    return BenchmarkGroup(
        [
            *(_learner(name, samples, indices[:N_SAMPLES], N_ATOMS) for name in names),
            matrix_product(side**2, N_ATOMS),
            sorting(),
            *spams_training(X, N_ATOMS, PENALTY),
            *sklearn_training(X[:N_FOR_SKLEARN], N_ATOMS, PENALTY),
        ],
        "sample",
    )


def _learner(name, samples, indices, n_atoms):
    """An epoch from the start, and again."""
    parameters = LEARNERS[name].resolve(n_atoms)
    W = initial_dictionary(samples, n_atoms, SEED, parameters)
    learner = parameters.learner(W, 100 * len(indices))
    stream = np.random.default_rng(1)
    return Candidate(name, lambda: learner.learn(samples, indices, 5, stream), len(indices))


def learned_dictionaries(side=8, names=COMPARED):
    """How well dictionaries of a few epochs reproduce a photograph."""

    def qualities():
        found = {}
        for name in names:
            W, numbers = _train(LEARNERS[name], patches(side))
            image = photograph("reproduce/coins.png")
            made = to_uint8(reproduce(image, W, 0.99, 10))
            found[f"{name}: SSIM"] = Quality(ssim_and_psnr(image, made)[0], "SSIM")
            if "correlation" in numbers:
                found[f"{name}: correlation"] = Quality(numbers["correlation"], "correlation")
        return found

    return BenchmarkGroup(qualities=qualities)


def _train(parameters, samples):
    """A dictionary, and what the last epoch says of itself."""
    parameters = parameters.resolve(N_ATOMS)
    W = initial_dictionary(samples, N_ATOMS, SEED, parameters)
    learner = parameters.learner(W, N_EPOCHS * SAMPLES_PER_EPOCH)
    said = []
    train(
        learner,
        samples,
        1,
        N_EPOCHS,
        SAMPLES_PER_EPOCH,
        SEED,
        lambda *epoch: said.append(epoch[-1]),
    )
    return learner.W, said[-1]
