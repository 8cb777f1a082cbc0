"""The projection: long vectors against copying, short ones against sorting, and the classics."""

import numpy as np

from ...core.classics import CLASSICS
from ...core.gradient import projection_gradient
from ...core.projection import project
from ...core.sparseness import sparseness
from ...core.target_sparseness import TargetSparseness
from ..group import Group, Quality
from ..interleaved_timing import PEER, Candidate
from .limits import copying, responses, sorting

SPARSENESS = 0.9
INITIAL = 0.5  # sparseness of long vectors before, as in the paper's Fig. 5


def long_vector(exponent, dtype="float64", solvers=("auto",), classics=()):
    """A vector of 2^exponent entries, projected in place."""
    x = np.random.default_rng(exponent).random(1 << exponent).astype(dtype)
    project(x, INITIAL, norm=1.0, out=x)
    work = np.empty_like(x)
    target = TargetSparseness.of(x.size, SPARSENESS)

    def refill():
        np.copyto(work, x)

    def with_solver(solver):
        return lambda: project(work, SPARSENESS, norm=1.0, solver=solver, out=work)

    def by_classic(name):
        rows = work.reshape(1, -1)
        return lambda: CLASSICS[name](rows, rows, target, 1.0)

    ours = [Candidate(name, with_solver(name), prepare=refill) for name in solvers]
    peers = [Candidate(name, by_classic(name), kind=PEER, prepare=refill) for name in classics]
    return Group([*ours, copying(x), sorting(), *peers], "vector", lambda: _digits(x))


def rows(n, m, dtype="float32", solvers=("auto",), classics=()):
    """A batch of m short vectors of n entries."""
    x = np.random.default_rng(n).standard_normal((m, n)).astype(dtype)
    out = np.empty_like(x)
    target = TargetSparseness.of(n, SPARSENESS)

    def with_solver(solver):
        return lambda: project(x, SPARSENESS, norm=1.0, solver=solver, out=out)

    def by_classic(name):
        return lambda: CLASSICS[name](x, out, target, 1.0)

    ours = [Candidate(name, with_solver(name), m) for name in solvers]
    peers = [Candidate(name, by_classic(name), m, PEER) for name in classics]
    return Group([*ours, sorting(x), responses(), *peers], "vector", lambda: _digits(x))


def around_it(n=256, m=2048):
    """The gradient of the projection, and the sparseness itself."""
    x, y = np.random.default_rng(0).standard_normal((2, m, n))
    ours = [
        Candidate("gradient", lambda: projection_gradient(x, SPARSENESS, y), m),
        Candidate("sparseness", lambda: sparseness(x), m),
    ]
    return Group([*ours, sorting(), responses()], "vector")


def _digits(x):
    """To how many decimal places the result has the wanted sparseness."""
    error = np.abs(sparseness(project(x, SPARSENESS, norm=1.0)) - SPARSENESS).max()
    return {"sparseness": Quality(float(-np.log10(max(error, 1e-16))), "digits")}
