"""The paper's auxiliary function and its four solvers."""

from itertools import pairwise

import numpy as np
import pytest
from helpers.projection_references import norm_ratio, project_by_sorting

from ezdl_cli.core.projection import SOLVERS
from ezdl_cli.core.root_finding import MAX_EVALUATIONS, evaluate_auxiliary, find_root
from ezdl_cli.core.target_sparseness import TargetSparseness

PAPER_SOLVERS = [name for name in SOLVERS if name != "auto"]


def psi(x, k, alpha):
    q = np.maximum(x - alpha, 0.0)
    return q.sum() / np.sqrt((q * q).sum()) - k


def test_auxiliary_function_agrees_with_finite_differences():
    x = np.random.default_rng(0).random(40)
    k = float(norm_ratio(40, 0.7))
    for alpha in np.linspace(0.01, 0.9, 23):
        value, slope, bend, squared, squared_slope, *_ = evaluate_auxiliary(x, k, alpha)
        h = 1e-5
        assert value == pytest.approx(psi(x, k, alpha), abs=1e-12)
        assert squared == pytest.approx((value + k) ** 2 - k * k, abs=1e-10)
        if np.abs(x - alpha).min() > 2 * h:  # differentiable here
            above, below = psi(x, k, alpha + h), psi(x, k, alpha - h)
            assert slope == pytest.approx((above - below) / (2 * h), rel=1e-6)
            assert bend == pytest.approx((above - 2 * value + below) / h**2, rel=1e-2)
            squares = ((above + k) ** 2 - (below + k) ** 2) / (2 * h)
            assert squared_slope == pytest.approx(squares, rel=1e-6)


def test_final_interval_contains_the_root():
    x = np.random.default_rng(1).random(30)
    k = float(norm_ratio(30, 0.8))
    survivors = np.count_nonzero(project_by_sorting(x, 0.8))
    entries = np.sort(x)
    for left, right in pairwise(entries):
        finished = evaluate_auxiliary(x, k, 0.5 * (left + right))[5]
        assert finished == (np.count_nonzero(x > left) == survivors)


@pytest.mark.parametrize("name", PAPER_SOLVERS)
def test_solvers_terminate_for_all_kinds_of_vectors(name):
    random = np.random.default_rng(2)
    target = TargetSparseness.of(100, 0.9)
    for x in (random.random(100), 0.5 ** np.arange(100), 1 + 1e-15 * random.random(100)):
        _, evaluations = find_root(x, target.k, target.gap, 0.0, SOLVERS[name])
        assert evaluations < MAX_EVALUATIONS


def test_numbers_of_evaluations_are_those_of_figure_4():
    """At n = 2^14 with uniform entries, bisection needs most, Newton on squared norms fewest."""
    random = np.random.default_rng(3)
    target = TargetSparseness.of(1 << 14, 0.9)
    counts = {name: [] for name in PAPER_SOLVERS}
    for _ in range(20):
        x = random.random(1 << 14)
        for name in PAPER_SOLVERS:
            counts[name].append(find_root(x, target.k, target.gap, 0.0, SOLVERS[name])[1])
    mean = {name: np.mean(values) for name, values in counts.items()}
    assert mean["newton_sqr"] < mean["halley"] < mean["newton"] < mean["bisection"]
    assert 2.5 < mean["newton_sqr"] < 4.5
    assert 11.0 < mean["bisection"] < 17.0
