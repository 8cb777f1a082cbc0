"""Violations of the properties of the projection are counted."""

import numpy as np
import pytest

import ezdl_cli as ez
from ezdl_cli.experiments import projection_properties as experiment


@pytest.fixture
def vectors():
    x = np.random.default_rng(0).standard_normal((6, 30))
    return x, ez.project(x, 0.7, norm=1.0)


def test_projection_has_its_properties_for_all_sizes():
    table = experiment.projection_properties(vectors=2000, seed=1)
    assert sum(table["vectors"]) >= 2000
    assert len(table["n"]) == len(experiment.SIZES) * len(experiment.SPARSENESS)
    for name in ("sparseness_violations", "order_violations", "offset_violations"):
        assert set(table[name]) == {0}


def test_missed_sparseness_is_counted(vectors):
    x, p = vectors
    assert experiment.count_violations(x, p, 0.7) == (0, 0, 0)
    assert experiment.count_violations(x, p, 0.70001) == (6, 0, 0)


def test_flipped_sign_is_counted(vectors):
    x, p = vectors
    p[2, np.argmax(np.abs(p[2]))] *= -1.0
    assert experiment.count_violations(x, p, 0.7) == (0, 1, 0)


def test_changed_order_is_counted(vectors):
    x, p = vectors
    first, second = np.argsort(np.abs(p[1]))[-2:]
    larger, smaller = np.abs(p[1, [second, first]])
    p[1, first], p[1, second] = np.copysign([larger, smaller], x[1, [first, second]])
    assert experiment.count_violations(x, p, 0.7) == (0, 1, 1)


def test_second_offset_is_counted(vectors):
    x, p = vectors
    p[:3] = np.sign(p[:3]) * np.abs(p[:3]) ** 1.1  # keeps the order
    missed, disordered, without_offset = experiment.count_violations(x, p, 0.7)
    assert (missed, disordered, without_offset) == (3, 0, 3)


def test_wrong_zero_is_counted(vectors):
    x, p = vectors
    survivors = np.flatnonzero(p[0])
    p[0, survivors[np.argmin(np.abs(p[0, survivors]))]] = 0.0
    assert experiment.count_violations(x, p, 0.7)[1:] == (0, 1)
