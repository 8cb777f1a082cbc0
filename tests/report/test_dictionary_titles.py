"""Titles of dictionaries name what tells them apart."""

import numpy as np
import pytest

from ezdl_cli import io
from ezdl_cli.report.dictionary_titles import atom_size, dictionary_title


@pytest.mark.parametrize(
    ("algorithm", "parameters", "title"),
    [
        ("ezdl", {"sparseness": 0.99, "step_size": 1.0}, "EZDL, σ_H = 0.99"),
        ("ezdl", {"sparseness": 0.9, "inference": "rank"}, "EZDL, σ_H = 0.9, rank-1 topographic"),
        ("ezdl", {"step_size": 0.25, "atom_rank": 1}, "EZDL, atoms of rank 1, η₀ = 0.25"),
        ("ezdl", {"noise": 0.1, "gradient": "full"}, "EZDL, noise on the codes, full gradient"),
        ("odl", {"alpha": 2.0, "n_nonzero": None}, "ODL, λ = 2"),
        ("rls-dla", {"n_nonzero": 4, "sparseness": None, "step_size": None}, "RLS-DLA, ζ = 4"),
        ("mine", {}, "mine"),
        (None, {}, "unknown learner"),
    ],
)
def test_titles(algorithm, parameters, title):
    metadata = io.DictionaryMetadata(algorithm=algorithm, parameters=parameters)
    dictionary = io.Dictionary(np.ones((2, 64)), metadata)
    assert dictionary_title(dictionary) == title
    assert atom_size(dictionary) == "8 × 8 pixels"


def test_whitened_patches_are_named():
    matrices = {"dewhitening": np.ones((16, 3)), "whitening": np.ones((3, 16))}
    dictionary = io.Dictionary(np.ones((2, 3)), matrices=matrices)
    assert dictionary_title(dictionary) == "unknown learner, whitened patches"
    assert atom_size(dictionary) == "4 × 4 pixels"
