"""The dictionary that ships with the package."""

import shlex

import numpy as np

import ezdl_cli as ez
from ezdl_cli.io.dictionaries import DEFAULT, load_dictionary


def test_it_is_small_and_normalised_and_says_how_it_was_made():
    assert DEFAULT.stat().st_size < 150_000
    W = ez.default_dictionary()
    assert W.shape == (256, 64) and W.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(W, axis=1), 1.0, atol=1e-5)
    made = load_dictionary(DEFAULT).metadata
    assert made.parameters["sparseness"] == 0.99
    assert shlex.split(made.command)[:3] == ["ezdl", "train", "ezdl"]


def test_it_learned_photographs_and_not_noise():
    """Its atoms are smooth: neighbouring pixels are alike, on average."""
    atoms = ez.default_dictionary().reshape(-1, 8, 8)
    alike = np.sum(atoms[:, 1:] * atoms[:, :-1]) / np.sum(atoms[:, 1:] ** 2)
    assert alike > 0.3
