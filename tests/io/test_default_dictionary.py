"""The dictionary that ships with the package."""

import shlex

import numpy as np

import ezdl_cli as ez
from ezdl_cli.io.dictionaries import DEFAULT, load_dictionary


def test_default_dictionary_is_small_and_normalised_and_has_metadata():
    assert DEFAULT.stat().st_size < 150_000
    W = ez.default_dictionary()
    assert W.shape == (256, 64) and W.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(W, axis=1), 1.0, atol=1e-5)
    made = load_dictionary(DEFAULT).metadata
    assert made.parameters["sparseness"] == 0.99
    assert shlex.split(made.command)[:3] == ["ezdl", "train", "ezdl"]


def test_atoms_of_the_default_dictionary_are_smooth():
    """Neighbouring pixels are correlated, as in photographs and unlike noise."""
    atoms = ez.default_dictionary().reshape(-1, 8, 8)
    alike = np.sum(atoms[:, 1:] * atoms[:, :-1]) / np.sum(atoms[:, 1:] ** 2)
    assert alike > 0.3
