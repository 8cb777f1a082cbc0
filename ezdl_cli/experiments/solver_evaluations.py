"""Figure 4: evaluations of the auxiliary function that the paper's four solvers need.

Random vectors have entries drawn uniformly from [0, 1], the distribution that matches the paper's
figure.
"""

import numpy as np

from ..core.projection import SOLVERS
from ..core.root_finding import find_root
from ..core.target_sparseness import TargetSparseness
from .bootstrap import mean_of_vectors

PAPER_SOLVERS = [name for name in SOLVERS if name != "auto"]
MIN_VECTORS = 5  # for a standard deviation, even at the largest n
BOUND_ENTRIES = 1 << 16  # the bound is checked up to this n: it needs all entries sorted


def solver_evaluations(exponents, vectors, sparseness=0.9, max_entries=None, seed=0, advance=None):
    """Count evaluations of the auxiliary function by the paper's four solvers, for Fig. 4.

    All solvers get the same vectors.

    Parameters
    ----------
    exponents : iterable of int
        Numbers of entries n of the vectors, as exponents of two.
    vectors : int
        Number of vectors for each n.
    sparseness : float
    max_entries : int, optional
        Maximum number of entries of all vectors of an n. There are at least `MIN_VECTORS` vectors.
    seed : int
    advance : callable, optional
        Called with 1 after each n.

    Returns
    -------
    dict
        One row per n and solver: `n`, `sparseness`, `seed`, `solver`, `vectors`; `mean`,
        `standard_deviation`, `low` and `high` (95 % confidence interval of the mean) of the
        evaluations; `mean_with_zero`, which counts the evaluation at zero that
        Algorithm 3 starts with; `minus_bisection` and `minus_newton_sqr`, the mean difference to
        these solvers on the same vector, each with its standard deviation (`…_deviation`);
        `bound_violations` and `bound_vectors`, see `exceeds_bound` (NaN and 0 if not checked).
    """
    rows = []
    for exponent in exponents:
        n = 1 << exponent
        count = min(vectors, max(MIN_VECTORS, (max_entries or vectors * n) // n))
        counts, n_violations = _count_evaluations(n, count, sparseness, [seed, exponent])
        for j, solver in enumerate(PAPER_SOLVERS):
            row = {"n": n, "sparseness": sparseness, "seed": seed, "solver": solver}
            row |= {"vectors": count, **_statistics(counts, j)}
            is_checked = solver == "bisection" and n <= BOUND_ENTRIES
            row["bound_violations"] = n_violations if is_checked else np.nan
            row["bound_vectors"] = count if is_checked else 0
            rows.append(row)
        if advance:
            advance(1)
    return {name: [row[name] for row in rows] for name in rows[0]}


def _count_evaluations(n, n_vectors, sparseness, seed):
    """Return the evaluations by vector and solver, and how often bisection exceeds its bound."""
    random = np.random.default_rng(seed)
    target = TargetSparseness.of(n, sparseness)
    counts = np.empty((n_vectors, len(PAPER_SOLVERS)))
    n_violations = 0
    x = np.empty(n)  # a single one: at n = 2^30 it has 8 GiB
    for i in range(n_vectors):
        random.random(out=x)
        for j, name in enumerate(PAPER_SOLVERS):
            counts[i, j] = find_root(x, target.k, target.gap, 0.0, SOLVERS[name])[1]
        if n <= BOUND_ENTRIES:
            n_violations += exceeds_bound(x, counts[i, PAPER_SOLVERS.index("bisection")])
    return counts, n_violations


def _statistics(counts, j):
    """Return means and deviations of the counts of the j-th solver."""
    deviation = counts[:, j].std(ddof=1)
    mean = mean_of_vectors(counts[:, j].mean(), deviation, len(counts))
    statistics = {"mean": mean.value, "standard_deviation": deviation}
    statistics |= {"low": mean.low, "high": mean.high}
    statistics["mean_with_zero"] = statistics["mean"] + 1.0
    for other in ("bisection", "newton_sqr"):
        difference = counts[:, j] - counts[:, PAPER_SOLVERS.index(other)]
        statistics[f"minus_{other}"] = difference.mean()
        statistics[f"minus_{other}_deviation"] = difference.std(ddof=1)
    return statistics


def exceeds_bound(x, evaluations):
    """Return whether bisection needed more iterations than sect. 2.3 of the paper allows.

    The number of iterations must be *less than* ⌈log2(x_2nd-max / δ)⌉, where x_2nd-max is the
    second largest of the distinct entries and δ the smallest difference of two of them. An
    iteration is a run through the loop of Algorithm 3: the first evaluation at half of x_2nd-max
    comes before the loop, so that m evaluations are m - 1 iterations. This is what the theory
    gives: if m - 1 evaluations were not enough, the interval of length x_2nd-max / 2^(m - 1)
    contains two distinct entries, hence m - 1 < log2(x_2nd-max / δ). (The exception is a root
    below all entries, where the left end of the interval remains zero, which is not an entry.)

    Parameters
    ----------
    x : ndarray of shape (n,)
        Nonnegative entries.
    evaluations : int
        Evaluations of the auxiliary function, without the one at zero; 0 if there was no search.
    """
    entries = np.sort(x)
    differences = np.diff(entries)
    distinct = differences[differences > 0.0]
    if evaluations == 0 or distinct.size == 0:
        return False
    second = entries[entries < entries[-1]][-1]
    return bool(evaluations - 1 >= np.ceil(np.log2(second / distinct.min())))
