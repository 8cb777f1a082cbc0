"""Projections of earlier papers, compared with an exact reference."""

import numpy as np
import pytest
from helpers.projection_references import project_by_sorting

from ezdl_cli.core.classics import CLASSICS
from ezdl_cli.core.target_sparseness import TargetSparseness


@pytest.mark.parametrize("name", CLASSICS)
@pytest.mark.parametrize("n", [3, 6, 7, 50, 1000])
@pytest.mark.parametrize("sparseness", [0.5, 0.8, 0.95])
def test_earlier_projections_agree_with_exact_reference(name, n, sparseness):
    rows = np.random.default_rng(n).standard_normal((4, n))
    rows[:, 0] = 0.9 * np.abs(rows).min()
    out = np.empty_like(rows)
    target = TargetSparseness.of(n, sparseness)
    increasing = [i for i, row in enumerate(rows) if _sparseness(row) < sparseness]
    CLASSICS[name](rows, out, target, 1.3)
    for i in increasing:
        expected = project_by_sorting(rows[i], sparseness, norm=1.3).astype(float)
        np.testing.assert_allclose(out[i], expected, atol=1e-9)
    in_place = rows.copy()
    CLASSICS[name](in_place, in_place, target, 1.3)
    np.testing.assert_array_equal(in_place, out)
    assert increasing


def _sparseness(row):
    root = np.sqrt(row.size)
    return (root - np.abs(row).sum() / np.linalg.norm(row)) / (root - 1)
