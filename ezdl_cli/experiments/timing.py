"""Times of an epoch of each learner that claims rely on, single-threaded."""

import numpy as np

from ..bench.groups.bench_learning import epoch_candidate
from ..bench.groups.peers import spams_training
from ..bench.interleaved_timing import time_interleaved
from ..learn.ezdl import EZDLParameters
from ..learn.odl import ODLParameters
from ..learn.rls_dla import RLSDLAParameters

PENALTY = 2.0
# Learners with the parameters for which the paper reports times, by columns of the table.
TIMED_LEARNERS = (
    ({"algorithm": "ezdl", "sigma_h": 0.99}, EZDLParameters(sparseness=0.99)),
    ({"algorithm": "ezdl", "sigma_h": 0.85}, EZDLParameters(sparseness=0.85)),
    (
        {"algorithm": "ezdl", "sigma_h": 0.85, "inference": "topographic"},
        EZDLParameters(sparseness=0.85, inference="topographic"),
    ),
    (
        {"algorithm": "ezdl", "sigma_h": 0.85, "atom_rank": 1},
        EZDLParameters(sparseness=0.85, atom_rank=1),
    ),
    (
        {"algorithm": "ezdl", "sigma_h": 0.99, "gradient": "full"},
        EZDLParameters(sparseness=0.99, gradient="full"),
    ),
    ({"algorithm": "odl", "lambda": PENALTY}, ODLParameters(PENALTY)),
    ({"algorithm": "rls-dla", "zeta": 4}, RLSDLAParameters(4)),
)
PARAMETERS = ("algorithm", "sigma_h", "inference", "atom_rank", "gradient", "lambda", "zeta")


def epoch_times(samples, n_atoms=256, n_samples=30_000, repeats=3, advance=lambda n: None):
    """Time an epoch of each learner, and of SPAMS if it is installed.

    Parameters
    ----------
    samples : Samples
    n_atoms, n_samples : int
        Size of the dictionary and of an epoch.
    repeats : int
        Interleaved rounds; the fastest counts.
    advance : callable
        Called with 1 after each of repeats + 1 rounds.

    Returns
    -------
    list of dict
        One row per learner: `implementation` ("ezdl" or "spams"), the columns `PARAMETERS`, empty
        where they do not apply, and `seconds`.

    Raises
    ------
    ValueError
        If there are fewer samples than atoms.
    """
    if len(samples) < n_atoms:
        raise ValueError(f"{len(samples)} samples are too few for {n_atoms} atoms")
    indices = np.random.default_rng(1).integers(len(samples), size=n_samples)
    candidates = [
        epoch_candidate(str(i), parameters, samples, indices, n_atoms)
        for i, (_, parameters) in enumerate(TIMED_LEARNERS)
    ]
    X = samples.pick(np.resize(indices, max(n_samples, n_atoms)))
    spams = spams_training(X, n_atoms, PENALTY)
    found = time_interleaved([*candidates, spams], n_rounds=repeats, advance=advance)
    rows = [
        _row("ezdl", columns, n_samples * found[str(i)].minimum)
        for i, (columns, _) in enumerate(TIMED_LEARNERS)
    ]
    if spams.name in found:
        columns = {"algorithm": "odl", "lambda": PENALTY}
        rows.append(_row("spams", columns, spams.n_items * found[spams.name].minimum))
    return rows


def _row(implementation, columns, seconds):
    if columns["algorithm"] == "ezdl":
        columns = {"inference": "ordinary", "gradient": "short", **columns}
    parameters = {name: columns.get(name, "") for name in PARAMETERS}
    return {"implementation": implementation, **parameters, "seconds": seconds}
