"""Matrix products of packed dictionaries, compared with NumPy."""

import numpy as np
import pytest

from ezdl_cli.core.linear_algebra import (
    allocate_panels,
    allocate_responses,
    filter_responses,
    pack_rows,
)


@pytest.mark.parametrize("m", [1, 7, 8, 63, 64])
@pytest.mark.parametrize("d", [1, 5, 8, 64, 81])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_filter_responses_agree_with_numpy(m, d, dtype):
    rng = np.random.default_rng(0)
    X, W = rng.standard_normal((m, d)).astype(dtype), rng.standard_normal((21, d)).astype(dtype)
    panels = allocate_panels(21, d, dtype)
    out = allocate_responses(m, panels)
    pack_rows(W, panels)
    filter_responses(X, panels, out)
    np.testing.assert_allclose(out[:, :21], X @ W.T, atol=1e-4 if dtype == np.float32 else 1e-12)
