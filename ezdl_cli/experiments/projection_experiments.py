"""Figures 1, 2, 4 and 5: the sparseness measure, the auxiliary function, solvers and speed.

Each function returns a table, a dict from column to list. Random vectors have entries drawn
uniformly from [0, 1], the law that matches the paper's Fig. 4.
"""

import os
import time
from pathlib import Path

import numpy as np

from ..core.classics import CLASSICS
from ..core.long_rows import SCRATCH_SIZE
from ..core.projection import AUTO, SOLVERS, project, project_rows
from ..core.root_finding import evaluate_auxiliary, find_root
from ..core.sparseness import sparseness as measure
from ..core.target_sparseness import TargetSparseness

FEWEST_VECTORS = 5
ENTRIES_TIMED = 1 << 20  # short vectors are timed together, so many entries of them
COPIES = {"auto": 1, "newton_sqr": 1, "hoyer": 2, "potluru": 2, "thom_palm": 2}


def sparseness_grid(points=201):
    """Sparseness of the two-dimensional vectors on a grid over [-1, 1]², for Fig. 1."""
    axis = np.linspace(-1.0, 1.0, points)
    x1, x2 = (part.ravel() for part in np.meshgrid(axis, axis))
    values = np.full(x1.size, np.nan)
    nonzero = (x1 != 0.0) | (x2 != 0.0)
    values[nonzero] = measure(np.column_stack([x1, x2])[nonzero])
    return {"x1": x1, "x2": x2, "sparseness": values}


def auxiliary_curve(n=10, sparseness=0.35, seed=0, points=400):
    """The auxiliary function, its scaled derivative and the root of a random vector, for Fig. 2."""
    x = np.random.default_rng(seed).random(n)
    target = TargetSparseness.of(n, sparseness)
    (_, ref, shift, *_), _ = find_root(x, target.k, target.gap, 0.0, SOLVERS["newton_sqr"])
    root = ref + shift
    entries = np.sort(x)
    second = entries[-2]
    tiny = 1e-9
    steps = np.concatenate([entries[:-1] - tiny, entries[:-1] + tiny])
    alphas = np.sort(
        np.concatenate([np.linspace(0.0, 0.5 * (second + entries[-1]), points), steps])
    )
    psi, slope = np.array([evaluate_auxiliary(x, target.k, alpha)[:2] for alpha in alphas]).T
    left, right = entries[entries <= root].max(initial=0.0), entries[entries > root].min()
    at_left, at_right = (evaluate_auxiliary(x, target.k, value)[0] for value in (left, right))
    rows = [("psi", alpha, value) for alpha, value in zip(alphas, psi, strict=True)]
    scale = np.abs(psi).max() / np.abs(slope).max()
    rows += [("slope", alpha, scale * value) for alpha, value in zip(alphas, slope, strict=True)]
    rows += [("entry", entry, 0.0) for entry in entries]
    rows += [("left", left, at_left), ("root", root, 0.0), ("right", right, at_right)]
    return dict(
        zip(("quantity", "alpha", "value"), map(list, zip(*rows, strict=True)), strict=True)
    )


def solver_evaluations(exponents, vectors, sparseness=0.9, max_entries=None, seed=0, advance=None):
    """Evaluations of the auxiliary function by the paper's four solvers, for Fig. 4.

    Each solver gets the very same vectors. `advance(1)` is called after each n.
    """
    solvers = [name for name in SOLVERS if name != "auto"]
    rows = []
    for exponent in exponents:
        n = 1 << exponent
        count = min(vectors, max(FEWEST_VECTORS, (max_entries or vectors * n) // n))
        random = np.random.default_rng([seed, exponent])
        target = TargetSparseness.of(n, sparseness)
        counts = np.empty((count, len(solvers)))
        for i in range(count):
            x = random.random(n)
            for j, name in enumerate(solvers):
                counts[i, j] = find_root(x, target.k, target.gap, 0.0, SOLVERS[name])[1]
        for name, mean, deviation in zip(
            solvers, counts.mean(axis=0), counts.std(axis=0, ddof=1), strict=True
        ):
            rows.append((n, name, count, mean, deviation))
        if advance:
            advance(1)
    columns = ("n", "solver", "vectors", "mean", "standard_deviation")
    return dict(zip(columns, map(list, zip(*rows, strict=True)), strict=True))


def projection_speedups(
    exponents, sparseness=0.9, initial_sparseness=0.5, repeats=5, seed=0, advance=None, say=None
):
    """Time of this package's projection, the paper's and the classics, one thread, for Fig. 5.

    All work in place on vectors that were projected to the initial sparseness. An algorithm
    stops at the n for which the memory does not hold its copies; `say` gets a line about it. Of
    the linear-time ones, the memory that they need beside the vector is measured as well.
    """
    rows = []
    for exponent in exponents:
        n = 1 << exponent
        seconds = {}
        for name, copies in COPIES.items():
            if (copies + 1) * 8 * n > 0.9 * _available_memory() and n > ENTRIES_TIMED:
                if say:
                    say(f"n = 2^{exponent}: no memory for {name}, which needs {copies} copies")
                continue
            seconds[name] = _time(name, n, sparseness, initial_sparseness, repeats, seed)
        for name, value in seconds.items():
            speedup = seconds["hoyer"] / value if "hoyer" in seconds else np.nan
            extra = np.nan
            if name not in CLASSICS:
                extra = _extra_memory(name, n, sparseness, initial_sparseness, seed)
            rows.append((n, name, value, speedup, extra))
        if advance:
            advance(1)
    columns = ("n", "algorithm", "seconds", "speedup", "extra_mib")
    return dict(zip(columns, map(list, zip(*rows, strict=True)), strict=True))


def _time(name, n, sparseness, initial_sparseness, repeats, seed):
    """Seconds a vector, the least of several repeats."""
    target = TargetSparseness.of(n, sparseness)
    vectors = max(1, ENTRIES_TIMED // n)
    scratch = np.empty(min(SCRATCH_SIZE, n))
    outcome = np.empty(vectors, np.uint8)
    best = np.inf
    work = np.empty((vectors, n))
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
            best = min(best, elapsed / vectors)
    return best


def _fill(work, initial_sparseness, seed):
    """Random vectors of the initial sparseness, as rows."""
    np.random.default_rng([seed, work.shape[1]]).random(out=work)
    project(work, initial_sparseness, norm=1.0, out=work)


def _extra_memory(name, n, sparseness, initial_sparseness, seed):
    """MiB by which the memory of the process grows at most while a vector is projected in place.

    NaN where the system does not tell: Linux does, and forgets the peak of before when asked to.
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
    """Kibibytes, as Linux has them in the status of the process."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith(field)).split()[1])


def _available_memory():
    """Bytes of memory that are free."""
    return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
