"""Products of rows in lanes."""

import numpy as np

from ezdl_cli.gabor.row_products import LANES, TILE_ROWS, multiply_rows, squared_norm


def lanes(x, y):
    """Add products in the documented order."""
    sums = np.zeros(LANES)
    for part in (x * y).reshape(-1, LANES):
        sums = sums + part
    while sums.size > 1:
        sums = sums[::2] + sums[1::2]
    return sums[0]


def test_products_are_summed_in_the_documented_order():
    rng = np.random.default_rng(0)
    for n_tiles in (1, 3):
        rows = rng.standard_normal((n_tiles * TILE_ROWS, 7 * LANES))
        products = np.empty((len(rows), len(rows)))
        multiply_rows(rows, products)
        for i in range(len(rows)):
            for j in range(i + 1):
                assert products[i, j] == lanes(rows[i], rows[j])
        assert squared_norm(rows[:1], products) == lanes(rows[0], rows[0])
