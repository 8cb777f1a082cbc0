"""Times of projection algorithms in two styles, single-threaded, for Fig. 5.

The algorithms take turns and are compared by ratios within a round, with the clock of `ezdl bench`,
so that the comparison is the same on a busy machine.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from ..bench.clock import Clock
from ..bench.interleaved_timing import SHORTEST, Timing
from ..core.classics import CLASSICS
from ..core.classics.as_published import AS_PUBLISHED
from ..core.long_rows import LONG_ROW
from ..core.projection import AUTO, SOLVERS, project, project_rows
from ..core.root_finding import find_root
from ..core.target_sparseness import TargetSparseness
from ..platforms import available_memory, extra_memory

MIB = 1 << 20
# Number of entries that are timed together: a batch of short vectors takes up to 10 ms.
BATCH_ENTRIES = 1 << 17
# Longer batches are drawn again before each run: a second copy might not fit into memory.
KEPT_ENTRIES = 1 << 24
# An algorithm takes part in so many rounds at least, a short one until it was measured for so many
# seconds (but in a few times as many rounds as wanted at most). A long one is finished earlier.
MIN_ROUNDS = 3
SHORT_SECONDS, LONG_SECONDS = 0.02, 0.1
MAX_FACTOR = 5
# Vectors of these sizes use all kernels of the default: for short, medium and long ones.
WARM_UP_SIZES = (1 << 4, 1 << 13, LONG_ROW)
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
    def key(self):
        """Style and name."""
        return self.style, self.name

    @property
    def is_linear(self):
        """Whether it needs linear time and constant extra memory."""
        return self.name in SOLVERS


def _run_solver(solver, rows, target):
    project_rows(rows, rows, target, 1.0, solver)


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
        Number of rounds in which the algorithms take turns. Those that take long take part in fewer
        rounds, but at least three; short ones in more.
    seed : int
    advance : callable, optional
        Called with 1 after each size.
    warn : callable, optional
        Called with a message for each size at which an algorithm does not fit into memory.

    Returns
    -------
    dict
        Columns `n`, `sparseness`, `initial_sparseness`, `seed`, `style`, `algorithm`, `seconds`
        (per vector: the median of Hoyer's, divided by the speed-up; without Hoyer's, the median),
        `speedup` (over Hoyer's in the same style: median of the ratios within a round), `passes`
        (mean number of passes of the paper's algorithm over a vector: evaluations of the auxiliary
        function, the one at zero included, and one that writes; NaN for others) and `extra_mib`
        (extra memory; NaN for the classics).
    """
    rows = []
    _warm_up(sparseness, initial_sparseness, seed)
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
    timings = _time_in_turns(algorithms, batch, repeats)
    rows = []
    for algorithm in algorithms:
        hoyer = timings.get((algorithm.style, "hoyer"))
        value, speedup = timings[algorithm.key].median, np.nan
        if hoyer:
            # Ratios of the reported times are then those within rounds, too.
            speedup = hoyer.ratios.get(algorithm.key, 1.0)
            value = hoyer.median / speedup
        value /= len(batch.rows)
        measured = (value, speedup, _mean_passes(algorithm, batch), _extra_memory(algorithm, batch))
        rows.append((*parameters, algorithm.style, algorithm.name, *measured))
    return rows


def _fitting_algorithms(exponent, warn):
    """Return the algorithms whose vectors of 2^exponent entries fit into memory."""
    n = 1 << exponent
    fitting = []
    for algorithm in ALGORITHMS:
        if n > BATCH_ENTRIES and (algorithm.copies + 1) * 8 * n > 0.9 * available_memory():
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
    """Return the Timing of each algorithm by its key, in seconds per batch."""
    clock = Clock()
    rounds = {algorithm.key: [] for algorithm in algorithms}
    active = list(algorithms)
    while active:
        for algorithm in active:
            batch.restore()
            mark = clock.now()
            algorithm.run(batch.rows, batch.target)
            rounds[algorithm.key].append(max(clock.since(mark), SHORTEST))
        active = [one for one in active if not _is_finished(rounds[one.key], repeats)]
    return {key: Timing.from_rounds(key, rounds) for key in rounds}


def _is_finished(measured, repeats):
    """Return whether an algorithm was measured often enough."""
    total, n_rounds = sum(measured), len(measured)
    if total > LONG_SECONDS:
        return n_rounds >= min(MIN_ROUNDS, repeats)
    return n_rounds >= repeats and (total > SHORT_SECONDS or n_rounds >= MAX_FACTOR * repeats)


def _warm_up(*parameters):
    """Compile all algorithms, so that no round has to."""
    for n in WARM_UP_SIZES:
        batch = _Batch(n, *parameters)
        for algorithm in ALGORITHMS:
            batch.restore()
            algorithm.run(batch.rows[:1], batch.target)


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

    NaN for algorithms that allocate vectors, and where the system cannot report it.
    """
    if not algorithm.is_linear:
        return np.nan
    batch.restore()
    return extra_memory(lambda: algorithm.run(batch.rows[:1], batch.target)) / MIB
