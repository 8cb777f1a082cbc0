"""Simultaneous ORMP, compared with brute force."""

import numpy as np
import pytest

import ezdl_cli as ez
from ezdl_cli.coding.equivalent_samples import Samples
from ezdl_cli.coding.group_ormp import GroupDictionary, GroupOrmpWorkspace, choose_atoms, padded


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


def group_basis(X, W, bound):
    """Return an orthonormal basis of the span of the atoms chosen for the rows of X."""
    dictionary, d = GroupDictionary.of(W), W.shape[1]
    samples = Samples.of(len(X), padded(d))
    samples.rows[: len(X), :d] = X
    workspace = GroupOrmpWorkspace.of(dictionary, len(X))
    count = choose_atoms(samples, len(X), dictionary, bound, workspace)
    basis = workspace.basis[:, :count].swapaxes(0, 1).reshape(count, padded(d))
    columns = workspace.columns.swapaxes(1, 2).reshape(-1, padded(d))[:count]
    np.testing.assert_array_equal(basis, columns)
    assert not basis[:, d:].any()
    return basis[:, :d]


def unit_atoms(rng, n, d):
    W = rng.standard_normal((n, d)).astype(np.float32)
    return W / np.linalg.norm(W, axis=1, keepdims=True)


@pytest.mark.parametrize(
    ("n", "d", "g", "count"),
    [(20, 9, 1, 3), (40, 16, 7, 5), (70, 25, 30, 9), (90, 64, 8, 40), (70, 25, 97, 9)],
)
def test_span_equals_that_of_brute_force(n, d, g, count):
    """Also for more samples than are encoded, which are replaced by equivalent ones."""
    rng = np.random.default_rng(n)
    W, X = unit_atoms(rng, n, d), rng.standard_normal((g, d)).astype(np.float32)
    expected = brute_force(X.astype(float), W.astype(float), count)
    basis = group_basis(X, W, 1.0001 * ((X - expected) ** 2).sum())
    assert len(basis) == count
    np.testing.assert_allclose(basis @ basis.T, np.eye(count), atol=1e-5)
    np.testing.assert_allclose(X @ basis.T @ basis, expected, atol=1e-3)


def test_basis_is_orthonormal_for_nearly_dependent_atoms():
    rng = np.random.default_rng(1)
    core = rng.standard_normal((6, 16))
    W = np.repeat(core, 6, axis=0) + 0.02 * rng.standard_normal((36, 16))
    W = (W / np.linalg.norm(W, axis=1, keepdims=True)).astype(np.float32)
    basis = group_basis(rng.standard_normal((5, 16)).astype(np.float32), W, 0.0)
    assert len(basis) >= 6
    np.testing.assert_allclose(basis @ basis.T, np.eye(len(basis)), atol=2e-5)


def test_group_within_the_bound_has_no_atoms():
    W, X = np.eye(4, dtype=np.float32), np.ones((2, 4), np.float32)
    assert len(group_basis(X, W, 8.0)) == 0
    assert len(group_basis(0 * X, W, 0.0)) == 0


def test_samples_whose_gains_underflow_choose_no_atom_of_zeros():
    W = np.vstack([np.zeros(4), np.eye(4)]).astype(np.float32)
    dictionary, samples = GroupDictionary.of(W), Samples.of(1, padded(4))
    samples.rows[0, :4] = 1e-20
    workspace = GroupOrmpWorkspace.of(dictionary, 1)
    count = choose_atoms(samples, 1, dictionary, 0.0, workspace)
    assert np.isfinite(workspace.basis[:, :count]).all()
    assert np.isfinite(ez.ormp(np.full((1, 4), 1e-20, np.float32), W, 3)).all()
