"""Times of projection algorithms in two styles, single-threaded, for Fig. 5."""

import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from ..core.classics import CLASSICS
from ..core.classics.as_published import AS_PUBLISHED
from ..core.long_rows import SCRATCH_SIZE
from ..core.projection import AUTO, SOLVERS, project, project_rows
from ..core.root_finding import find_root
from ..core.target_sparseness import TargetSparseness

# Number of entries that are timed together: a batch of short vectors takes up to 10 ms.
BATCH_ENTRIES = 1 << 17
# Longer batches are drawn again before each run: a second copy might not fit into memory.
KEPT_ENTRIES = 1 << 24
# After so many seconds, two runs of an algorithm are enough.
LONG_RUNS = 0.25
# Evaluations are counted on so many vectors of a batch.
COUNTED_VECTORS = 1000
PUBLISHED, OPTIMISED = "as published", "optimised"
COLUMNS = ("n", "sparseness", "initial_sparseness", "seed", "style", "algorithm")
COLUMNS += ("seconds", "speedup", "passes", "extra_mib")


@dataclass(frozen=True)
class Algorithm:
    """A projection to unit norm in one of the styles."""

    style: str
    name: str
    run: Callable
    """Project rows in place: ``run(rows, target)``."""
    copies: float
    """Vectors of the problem's size in memory, the input included."""

    @property
    def is_linear(self):
        """Whether it needs linear time and constant extra memory."""
        return self.name in SOLVERS


def _run_solver(solver, rows, target):
    scratch = np.empty(min(SCRATCH_SIZE, rows.shape[1]))
    outcome = np.empty(len(rows), np.uint8)
    project_rows(rows, rows, target, 1.0, solver, scratch, outcome)


def _run_classic(classic, rows, target):
    classic(rows, rows, target, 1.0)


def _run_published(published, rows, target):
    return published(rows, target, 1.0)


# The memory of Hoyer's is for a second vector, and as published for a mask; that of the sorting
# ones for sorted entries, and as published for the permutation.
ALGORITHMS = (
    Algorithm(OPTIMISED, "auto", partial(_run_solver, AUTO), 1),
    Algorithm(OPTIMISED, "newton_sqr", partial(_run_solver, SOLVERS["newton_sqr"]), 1),
    *(Algorithm(OPTIMISED, name, partial(_run_classic, CLASSICS[name]), 2) for name in CLASSICS),
    *(
        Algorithm(PUBLISHED, name, partial(_run_published, AS_PUBLISHED[name]), copies)
        for name, copies in (("newton_sqr", 1), ("hoyer", 2.125), ("potluru", 3), ("thom_palm", 3))
    ),
)


def projection_speedups(
    exponents, sparseness=0.9, initial_sparseness=0.5, repeats=5, seed=0, advance=None, warn=None
):
    """Time the paper's projection and the classic ones in two styles, for Fig. 5.

    "as published" are scalar transcriptions of all algorithms, "optimised" are the fastest
    implementations of this package, its default included. All work in place on vectors that were
    projected to the initial sparseness. The algorithms of one n take turns.

    Parameters
    ----------
    exponents : iterable of int
        Problem sizes, as exponents of two.
    sparseness, initial_sparseness : float
    repeats : int
        Number of runs after the first one, of which the fastest counts. Algorithms that take long
        are run twice.
    seed : int
    advance : callable, optional
        Called with 1 after each size.
    warn : callable, optional
        Called with a message for each size at which an algorithm does not fit into memory.

    Returns
    -------
    dict
        Columns `n`, `sparseness`, `initial_sparseness`, `seed`, `style`, `algorithm`, `seconds`,
        `speedup` (over Hoyer's in the same style), `passes` (mean number of passes of the paper's
        algorithm over a vector: evaluations of the auxiliary function, the one at zero included,
        and one that writes; NaN for others) and `extra_mib` (extra memory; NaN for the classics).
    """
    rows = []
    for exponent in exponents:
        algorithms = _fitting_algorithms(exponent, warn)
        parameters = (1 << exponent, sparseness, initial_sparseness, seed)
        rows += _measure(algorithms, parameters, repeats)
        if advance:
            advance(1)
    return dict(zip(COLUMNS, map(list, zip(*rows, strict=True)), strict=True))


def _measure(algorithms, parameters, repeats):
    """Return the rows of the table for one n; its vectors are freed at the end."""
    batch = _Batch(*parameters)
    seconds = _time_in_turns(algorithms, batch, repeats)
    rows = []
    for algorithm in algorithms:
        value = seconds[algorithm.style, algorithm.name]
        speedup = seconds.get((algorithm.style, "hoyer"), np.nan) / value
        measured = (value, speedup, _mean_passes(algorithm, batch), _extra_memory(algorithm, batch))
        rows.append((*parameters, algorithm.style, algorithm.name, *measured))
    return rows


def _fitting_algorithms(exponent, warn):
    """Return the algorithms whose vectors of 2^exponent entries fit into memory."""
    n = 1 << exponent
    fitting = []
    for algorithm in ALGORITHMS:
        if n > BATCH_ENTRIES and (algorithm.copies + 1) * 8 * n > 0.9 * _available_memory():
            if warn:
                warn(f"n = 2^{exponent}: not enough memory for {algorithm.name} {algorithm.style}")
        else:
            fitting.append(algorithm)
    return fitting


class _Batch:
    """Random vectors of the initial sparseness, which can be restored after a projection."""

    def __init__(self, n, sparseness, initial_sparseness, seed):
        self.target = TargetSparseness.of(n, sparseness)
        self._initial_sparseness = initial_sparseness
        self._seed = [seed, n]
        self.rows = np.empty((max(1, BATCH_ENTRIES // n), n))
        self._kept = None
        self.restore()
        if self.rows.size <= KEPT_ENTRIES:
            self._kept = self.rows.copy()

    def restore(self):
        """Undo the projection of the rows."""
        if self._kept is not None:
            np.copyto(self.rows, self._kept)
        else:
            np.random.default_rng(self._seed).random(out=self.rows)
            project(self.rows, self._initial_sparseness, norm=1.0, out=self.rows)


def _time_in_turns(algorithms, batch, repeats):
    """Return the minimum seconds per vector of each algorithm, by style and name."""
    seconds = {(one.style, one.name): [] for one in algorithms}
    for _ in range(repeats + 1):  # the first run compiles and warms up
        for algorithm in algorithms:
            measured = seconds[algorithm.style, algorithm.name]
            if len(measured) >= 2 and sum(measured) > LONG_RUNS:
                continue
            batch.restore()
            start = time.perf_counter()
            algorithm.run(batch.rows, batch.target)
            measured.append(time.perf_counter() - start)
    return {key: min(measured) / len(batch.rows) for key, measured in seconds.items()}


def _mean_passes(algorithm, batch):
    """Return the mean number of passes over a vector by the paper's algorithm, NaN for others."""
    if algorithm.name != "newton_sqr":
        return np.nan
    batch.restore()
    rows, target = batch.rows[:COUNTED_VECTORS], batch.target
    if algorithm.style == PUBLISHED:
        return algorithm.run(rows, target) / len(rows) + 1.0
    solver = SOLVERS["newton_sqr"]
    counts = [find_root(row, target.k, target.gap, 0.0, solver)[1] for row in rows]
    return np.mean(counts) + 2.0  # the solver does not count the evaluation at zero


def _extra_memory(algorithm, batch):
    """Return the peak growth of the process in MiB while a vector is projected in place.

    NaN for algorithms that allocate vectors, and where the system cannot report it: Linux can, and
    resets the previous peak on request.
    """
    if not algorithm.is_linear:
        return np.nan
    batch.restore()
    try:
        Path("/proc/self/clear_refs").write_text("5")
        before = _status("VmRSS")
        algorithm.run(batch.rows[:1], batch.target)
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
