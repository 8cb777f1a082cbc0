"""Simultaneous ORMP against brute force."""

import numpy as np
import pytest

from ezdl_cli.coding.group_ormp import GroupOrmpWorkspace, group_basis
from ezdl_cli.core.linear_algebra import allocate_panels, gram_matrix


def brute_force(Y, W, count):
    """Projection of the rows onto atoms, each of which leaves the smallest rest."""
    chosen = []
    for _ in range(count):
        rests = {}
        for j in set(range(len(W))) - set(chosen):
            columns = W[[*chosen, j]].T
            rests[j] = np.linalg.lstsq(columns, Y.T, rcond=None)[1].sum()
        chosen.append(min(rests, key=rests.get))
    columns = W[chosen].T
    return (columns @ np.linalg.lstsq(columns, Y.T, rcond=None)[0]).T


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize(("n", "d", "g", "count"), [(20, 9, 1, 3), (40, 16, 7, 5), (70, 25, 30, 9)])
def test_span_equals_that_of_brute_force(n, d, g, count, dtype):
    rng = np.random.default_rng(n)
    W = rng.standard_normal((n, d)).astype(dtype)
    W /= np.linalg.norm(W, axis=1, keepdims=True)
    Y = rng.standard_normal((g, d)).astype(dtype)
    expected = brute_force(Y.astype(float), W.astype(float), count)
    bound = 1.0001 * ((Y - expected) ** 2).sum()
    panels = allocate_panels(n, d, dtype)
    gram = gram_matrix(W, panels)
    room = GroupOrmpWorkspace.of(W, panels, g)
    squares = np.diagonal(gram).copy()
    assert group_basis(Y, W, panels, gram, squares, bound, room) == count
    basis = room.basis[:count]
    exact = 1e-5 if dtype == np.float32 else 1e-12
    np.testing.assert_allclose(basis @ basis.T, np.eye(count), atol=exact)
    np.testing.assert_allclose(Y @ basis.T @ basis, expected, atol=100 * exact)


def test_basis_is_orthonormal_when_atoms_nearly_depend_on_each_other():
    rng = np.random.default_rng(1)
    core = rng.standard_normal((6, 16))
    W = np.repeat(core, 6, axis=0) + 0.02 * rng.standard_normal((36, 16))
    W = (W / np.linalg.norm(W, axis=1, keepdims=True)).astype(np.float32)
    Y = rng.standard_normal((5, 16)).astype(np.float32)
    panels = allocate_panels(36, 16, np.float32)
    gram = gram_matrix(W, panels)
    room = GroupOrmpWorkspace.of(W, panels, 5)
    count = group_basis(Y, W, panels, gram, np.diagonal(gram).copy(), 0.0, room)
    assert count >= 6
    basis = room.basis[:count]
    np.testing.assert_allclose(basis @ basis.T, np.eye(count), atol=2e-3)


def test_group_within_the_bound_needs_no_atoms():
    W = np.eye(4, dtype=np.float32)
    panels = allocate_panels(4, 4, np.float32)
    gram = gram_matrix(W, panels)
    room = GroupOrmpWorkspace.of(W, panels, 2)
    Y = np.ones((2, 4), np.float32)
    assert group_basis(Y, W, panels, gram, np.ones(4, np.float32), 8.0, room) == 0
    assert group_basis(np.zeros_like(Y), W, panels, gram, np.ones(4, np.float32), 0.0, room) == 0
