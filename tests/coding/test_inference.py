"""Inference models, compared with the general projection."""

import numpy as np
import pytest

import ezdl_cli as ez
from ezdl_cli.coding.inference import InferenceModel, InferenceWorkspace, infer_code


def dense_code(u, workspace, model):
    """Return the inferred code as a dense vector."""
    count = infer_code(u, model, workspace)
    dense = np.zeros_like(u)
    dense[workspace.support[:count]] = workspace.values[:count]
    return dense


@pytest.mark.parametrize("sparseness", [0.05, 0.5, 0.75, 0.9, 0.99])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_codes_are_projections_whatever_vectors_came_before(sparseness, dtype):
    n = 77  # two full masks of entries and a remainder
    model = InferenceModel.of(n, sparseness)
    workspace = InferenceWorkspace.of(model, dtype)
    rng = np.random.default_rng(0)
    for draw in (rng.standard_normal, rng.random, rng.standard_cauchy, rng.standard_exponential):
        for scale in (1e-3, 1.0, 1e4):
            u = (scale * draw(n)).astype(dtype)
            expected = ez.project(u, sparseness, norm=1.0)
            tolerance = 1e-9 if dtype == np.float64 else 1e-4
            np.testing.assert_allclose(dense_code(u, workspace, model), expected, atol=tolerance)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_zero_and_tied_responses_have_codes(dtype):
    model = InferenceModel.of(9, 0.9)
    workspace = InferenceWorkspace.of(model, dtype)
    assert infer_code(np.zeros(9, dtype), model, workspace) == 0
    for u in ([1] * 9, [1, -1, 0, 0, 0, 0, 0, 0, 0], [0] * 8 + [-5], [1, 2, 3, 4, 5, 6, 7, 8, 8]):
        h = dense_code(np.array(u, dtype), workspace, model)
        assert ez.sparseness(h) == pytest.approx(0.9, abs=1e-5)
        assert np.linalg.norm(h) == pytest.approx(1.0, abs=1e-5)
        assert (np.sign(h) * np.sign(u) >= 0).all()
