"""Simultaneous ORMP, compared with brute force."""

import numpy as np
import pytest

from ezdl_cli.coding.group_ormp import GroupOrmpWorkspace, group_basis
from ezdl_cli.core.linear_algebra import allocate_panels, gram_matrix


def brute_force(X, W, count):
    """Project the rows onto the span of greedily chosen atoms, each of the smallest residual."""
    chosen = []
    for _ in range(count):
        residuals = {}
        for j in set(range(len(W))) - set(chosen):
            columns = W[[*chosen, j]].T
            residuals[j] = np.linalg.lstsq(columns, X.T, rcond=None)[1].sum()
        chosen.append(min(residuals, key=residuals.get))
    columns = W[chosen].T
    return (columns @ np.linalg.lstsq(columns, X.T, rcond=None)[0]).T


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize(("n", "d", "g", "count"), [(20, 9, 1, 3), (40, 16, 7, 5), (70, 25, 30, 9)])
def test_span_equals_that_of_brute_force(n, d, g, count, dtype):
    rng = np.random.default_rng(n)
    W = rng.standard_normal((n, d)).astype(dtype)
    W /= np.linalg.norm(W, axis=1, keepdims=True)
    X = rng.standard_normal((g, d)).astype(dtype)
    expected = brute_force(X.astype(float), W.astype(float), count)
    bound = 1.0001 * ((X - expected) ** 2).sum()
    panels = allocate_panels(n, d, dtype)
    gram = gram_matrix(W, panels)
    workspace = GroupOrmpWorkspace.of(W, panels, g)
    squares = np.diagonal(gram).copy()
    assert group_basis(X, W, panels, gram, squares, bound, workspace) == count
    basis = workspace.basis[:count]
    tolerance = 1e-5 if dtype == np.float32 else 1e-12
    np.testing.assert_allclose(basis @ basis.T, np.eye(count), atol=tolerance)
    np.testing.assert_allclose(X @ basis.T @ basis, expected, atol=100 * tolerance)


def test_basis_is_orthonormal_for_nearly_dependent_atoms():
    rng = np.random.default_rng(1)
    core = rng.standard_normal((6, 16))
    W = np.repeat(core, 6, axis=0) + 0.02 * rng.standard_normal((36, 16))
    W = (W / np.linalg.norm(W, axis=1, keepdims=True)).astype(np.float32)
    X = rng.standard_normal((5, 16)).astype(np.float32)
    panels = allocate_panels(36, 16, np.float32)
    gram = gram_matrix(W, panels)
    workspace = GroupOrmpWorkspace.of(W, panels, 5)
    count = group_basis(X, W, panels, gram, np.diagonal(gram).copy(), 0.0, workspace)
    assert count >= 6
    basis = workspace.basis[:count]
    np.testing.assert_allclose(basis @ basis.T, np.eye(count), atol=2e-3)


def test_group_within_the_bound_has_no_atoms():
    W = np.eye(4, dtype=np.float32)
    panels = allocate_panels(4, 4, np.float32)
    gram = gram_matrix(W, panels)
    workspace = GroupOrmpWorkspace.of(W, panels, 2)
    X, squares = np.ones((2, 4), np.float32), np.ones(4, np.float32)
    assert group_basis(X, W, panels, gram, squares, 8.0, workspace) == 0
    assert group_basis(0 * X, W, panels, gram, squares, 0.0, workspace) == 0
