"""Low-rank approximation, compared with the singular value decomposition."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ezdl_cli.core.low_rank import keep_rank


@given(st.integers(1, 6), st.integers(1, 7), st.integers(1, 4), st.integers(0, 10**6))
def test_approximation_agrees_with_singular_value_decomposition(rows, columns, rank, seed):
    rng = np.random.default_rng(seed)
    matrix = rng.standard_normal((rows, columns))
    matrix[rng.random((rows, columns)) < 0.5] = 0.0
    rank = min(rank, rows, columns)
    left, values, right = np.linalg.svd(matrix, full_matrices=False)
    expected = (left[:, :rank] * values[:rank]) @ right[:rank]
    if rank < values.size and values[rank - 1] - values[rank] < 1e-3:
        return  # not unique, or nearly so
    c = columns
    workspace = np.empty(rows * c), np.empty(c * c), np.empty(c * c), np.empty(c)
    keep_rank(matrix, rank, *workspace, np.empty(c, np.int64))
    np.testing.assert_allclose(matrix, expected, atol=1e-6)
