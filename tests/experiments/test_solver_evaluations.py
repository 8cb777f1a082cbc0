"""The table of figure 4: evaluations of four solvers."""

import math

import numpy as np
import pytest
from scipy.stats import t

from ezdl_cli.core.projection import SOLVERS
from ezdl_cli.core.root_finding import find_root
from ezdl_cli.core.target_sparseness import TargetSparseness
from ezdl_cli.experiments import solver_evaluations as experiment


def rows_by_solver(table):
    rows = [dict(zip(table, row, strict=True)) for row in zip(*table.values(), strict=True)]
    return {row["solver"]: row for row in rows}


def test_evaluations_do_not_depend_on_the_other_sizes():
    all_sizes = experiment.solver_evaluations(range(3, 7), vectors=8, seed=4)
    one_size = experiment.solver_evaluations(range(6, 7), vectors=8, seed=4)
    assert all_sizes["mean"][-4:] == one_size["mean"]
    assert all_sizes["n"][-1] == 64 and set(all_sizes["vectors"]) == {8}


def test_statistics_are_those_of_the_counts_of_each_vector():
    n, vectors, seed = 64, 12, 3
    random, target = np.random.default_rng([seed, 6]), TargetSparseness.of(n, 0.9)
    counts = {solver: [] for solver in experiment.PAPER_SOLVERS}
    for _ in range(vectors):
        x = random.random(n)
        for solver, found in counts.items():
            found.append(find_root(x, target.k, target.gap, 0.0, SOLVERS[solver])[1])
    table = experiment.solver_evaluations(range(6, 7), vectors, seed=seed)
    rows = rows_by_solver(table)
    assert list(rows) == list(counts)
    for solver, found in counts.items():
        row = rows[solver]
        deviation = np.std(found, ddof=1)
        low, high = t.interval(0.95, vectors - 1, np.mean(found), deviation / math.sqrt(vectors))
        assert row["mean"] == pytest.approx(np.mean(found))
        assert row["mean_with_zero"] == pytest.approx(np.mean(found) + 1)
        assert row["standard_deviation"] == pytest.approx(deviation)
        assert (row["low"], row["high"]) == pytest.approx((low, high))
        for other in ("bisection", "newton_sqr"):
            pairs = [a - b for a, b in zip(found, counts[other], strict=True)]
            assert row[f"minus_{other}"] == pytest.approx(np.mean(pairs))
            assert row[f"minus_{other}_deviation"] == pytest.approx(np.std(pairs, ddof=1))


def test_bound_is_checked_for_bisection_of_short_vectors_only(monkeypatch):
    monkeypatch.setattr(experiment, "BOUND_ENTRIES", 16)
    table = experiment.solver_evaluations(range(4, 6), vectors=6)
    columns = (table[name] for name in ("n", "solver", "bound_violations", "bound_vectors"))
    for n, solver, violations, vectors in zip(*columns, strict=True):
        if (n, solver) == (16, "bisection"):
            assert (violations, vectors) == (0, 6)
        else:
            assert math.isnan(violations) and vectors == 0


def count_bisections(x, sparseness):
    """Return iterations of the loop of Algorithm 3 by plain sums over the entries above alpha."""
    k = math.sqrt(len(x)) - sparseness * (math.sqrt(len(x)) - 1)

    def psi(alpha):
        q = [v - alpha for v in x if v > alpha]
        return sum(q) / math.sqrt(sum(v * v for v in q)) - k if q else -k

    def is_final(alpha):
        left = max([v for v in x if v <= alpha], default=0.0)
        right = min(v for v in x if v > alpha)
        return psi(left) >= 0 > psi(right)

    lo, up = 0.0, sorted(x)[-2]
    alpha, iterations = 0.5 * up, 0
    while not is_final(alpha):
        lo, up = (alpha, up) if psi(alpha) > 0 else (lo, alpha)
        alpha, iterations = 0.5 * (lo + up), iterations + 1
    return iterations


@pytest.mark.parametrize("seed", range(30))
def test_bound_agrees_with_brute_force(seed):
    x = np.random.default_rng(seed).random(20)
    target = TargetSparseness.of(20, 0.9)
    evaluations = find_root(x, target.k, target.gap, 0.0, SOLVERS["bisection"])[1]
    iterations = count_bisections(x.tolist(), 0.9)
    assert evaluations == iterations + 1
    delta = min(abs(a - b) for i, a in enumerate(x) for b in x[:i])
    bound = math.ceil(math.log2(sorted(x)[-2] / delta))
    assert not experiment.exceeds_bound(x, evaluations) and iterations < bound
    assert experiment.exceeds_bound(x, bound + 1) and not experiment.exceeds_bound(x, bound)


def test_bound_ignores_ties():
    x = np.array([0.25, 0.5, 0.5, 1.0, 1.0])
    assert not experiment.exceeds_bound(x, 1) and experiment.exceeds_bound(x, 2)
