"""The tables of figures 1 and 2."""

import numpy as np
import pytest

from ezdl_cli.experiments import projection_experiments as projections


def test_sparseness_is_one_on_the_axes_and_zero_on_the_diagonals():
    table = projections.sparseness_grid(points=5)
    x1, x2, values = (np.asarray(column) for column in table.values())
    on_axis = (x1 == 0) != (x2 == 0)
    diagonal = (np.abs(x1) == np.abs(x2)) & (x1 != 0)
    np.testing.assert_array_equal(values[on_axis], 1.0)
    np.testing.assert_allclose(values[diagonal], 0.0, atol=1e-15)
    assert np.isnan(values).sum() == 1


@pytest.mark.parametrize("seed", range(5))
def test_auxiliary_function_falls_and_its_root_lies_between_two_entries(seed):
    table = {
        name: np.array(column) for name, column in projections.auxiliary_curve(seed=seed).items()
    }
    psi = table["value"][table["quantity"] == "psi"]
    assert np.all(np.diff(psi) <= 1e-12)
    at = {q: table["alpha"][table["quantity"] == q] for q in ("left", "root", "right", "entry")}
    assert at["left"] <= at["root"] < at["right"]
    assert not np.any((at["entry"] > at["left"]) & (at["entry"] < at["right"]))
