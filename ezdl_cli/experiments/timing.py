"""Times that claims rely on: projections (Fig. 5) and an epoch of each learner, single-threaded."""

import os
import time
from pathlib import Path

import numpy as np

from ..bench.groups.bench_learning import epoch_candidate
from ..bench.groups.peers import spams_training
from ..bench.interleaved_timing import time_interleaved
from ..core.classics import CLASSICS
from ..core.long_rows import SCRATCH_SIZE
from ..core.projection import AUTO, SOLVERS, project, project_rows
from ..core.target_sparseness import TargetSparseness
from ..learn.ezdl import EZDLParameters
from ..learn.odl import ODLParameters
from ..learn.rls_dla import RLSDLAParameters

# Number of entries that are timed together: a batch of short vectors takes about a millisecond.
BATCH_ENTRIES = 1 << 20
# Vectors of the problem's size that each projection algorithm allocates, its input included.
COPIES = {"auto": 1, "newton_sqr": 1, "hoyer": 2, "potluru": 2, "thom_palm": 2}
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
    ({"algorithm": "odl", "lambda": PENALTY}, ODLParameters(PENALTY)),
    ({"algorithm": "rls-dla", "zeta": 4}, RLSDLAParameters(4)),
)
PARAMETERS = ("algorithm", "sigma_h", "inference", "atom_rank", "lambda", "zeta")


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
        columns = {"inference": "ordinary", **columns}
    parameters = {name: columns.get(name, "") for name in PARAMETERS}
    return {"implementation": implementation, **parameters, "seconds": seconds}


def projection_speedups(
    exponents, sparseness=0.9, initial_sparseness=0.5, repeats=5, seed=0, advance=None, warn=None
):
    """Time this package's projection, the paper's and the classic ones, for Fig. 5.

    All work in place on vectors that were projected to the initial sparseness. The extra memory of
    the linear-time algorithms is measured as well.

    Parameters
    ----------
    exponents : iterable of int
        Problem sizes, as exponents of two.
    sparseness, initial_sparseness : float
    repeats : int
        Number of timings, of which the fastest counts.
    seed : int
    advance : callable, optional
        Called with 1 after each size.
    warn : callable, optional
        Called with a message for each size at which an algorithm does not fit into memory.

    Returns
    -------
    dict
        Columns `n`, `sparseness`, `initial_sparseness`, `seed`, `algorithm`, `seconds`, `speedup`
        (over Hoyer's) and `extra_mib`.
    """
    rows = []
    for exponent in exponents:
        n = 1 << exponent
        seconds = {}
        for name, copies in COPIES.items():
            if (copies + 1) * 8 * n > 0.9 * _available_memory() and n > BATCH_ENTRIES:
                if warn:
                    warn(f"n = 2^{exponent}: not enough memory for {name}")
                continue
            seconds[name] = _time(name, n, sparseness, initial_sparseness, repeats, seed)
        for name, value in seconds.items():
            speedup = seconds["hoyer"] / value if "hoyer" in seconds else np.nan
            extra = np.nan
            if name not in CLASSICS:
                extra = _extra_memory(name, n, sparseness, initial_sparseness, seed)
            parameters = (n, sparseness, initial_sparseness, seed, name)
            rows.append((*parameters, value, speedup, extra))
        if advance:
            advance(1)
    columns = ("n", "sparseness", "initial_sparseness", "seed", "algorithm")
    columns += ("seconds", "speedup", "extra_mib")
    return dict(zip(columns, map(list, zip(*rows, strict=True)), strict=True))


def _time(name, n, sparseness, initial_sparseness, repeats, seed):
    """Minimum seconds per vector over several repeats."""
    target = TargetSparseness.of(n, sparseness)
    n_vectors = max(1, BATCH_ENTRIES // n)
    scratch = np.empty(min(SCRATCH_SIZE, n))
    outcome = np.empty(n_vectors, np.uint8)
    best = np.inf
    work = np.empty((n_vectors, n))
    for repeat in range(repeats + 1):  # the first compiles and warms up
        _fill(work, initial_sparseness, seed)
        start = time.perf_counter()
        if name in CLASSICS:
            CLASSICS[name](work, work, target, 1.0)
        else:
            solver = AUTO if name == "auto" else SOLVERS[name]
            project_rows(work, work, target, 1.0, solver, scratch, outcome)
        elapsed = time.perf_counter() - start
        if repeat > 0:
            best = min(best, elapsed / n_vectors)
    return best


def _fill(work, initial_sparseness, seed):
    """Fill rows with random vectors of the initial sparseness."""
    np.random.default_rng([seed, work.shape[1]]).random(out=work)
    project(work, initial_sparseness, norm=1.0, out=work)


def _extra_memory(name, n, sparseness, initial_sparseness, seed):
    """Return the peak growth of the process in MiB while a vector is projected in place.

    NaN where the system cannot report it: Linux can, and resets the previous peak on request.
    """
    work = np.empty((1, n))
    _fill(work, initial_sparseness, seed)
    try:
        Path("/proc/self/clear_refs").write_text("5")
        before = _status("VmRSS")
        project(work, sparseness, norm=1.0, solver=name, out=work)
        return max(0.0, (_status("VmHWM") - before) / 1024.0)
    except (OSError, StopIteration):
        return np.nan


def _status(field):
    """Return a field of Linux's process status in KiB."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith(field)).split()[1])


def _available_memory():
    """Return the free memory in bytes."""
    return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
