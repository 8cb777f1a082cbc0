"""Similarity of atoms to those of another dictionary."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ezdl_cli.experiments.resemblance import best_cosines, shuffled

seeds = st.integers(0, 2**32 - 1)


@given(seeds, st.integers(1, 6), st.integers(1, 6), st.integers(2, 9))
def test_best_cosine_is_the_maximum_over_all_pairs(seed, n_atoms, n_others, width):
    rng = np.random.default_rng(seed)
    W, others = rng.standard_normal((n_atoms, width)), rng.standard_normal((n_others, width))
    expected = [max(abs(w @ o) / np.linalg.norm(w) / np.linalg.norm(o) for o in others) for w in W]
    np.testing.assert_allclose(best_cosines(W, others), expected, atol=1e-12)


@given(seeds)
def test_atoms_match_themselves_and_zeros_match_nothing(seed):
    W = np.random.default_rng(seed).standard_normal((5, 16))
    np.testing.assert_allclose(best_cosines(-3 * W[::-1], W), 1.0, atol=1e-12)
    assert (best_cosines(np.zeros((2, 16)), W) == 0).all()


@given(seeds)
def test_shuffling_permutes_the_entries_of_each_atom(seed):
    W = np.random.default_rng(seed).standard_normal((5, 16))
    other = shuffled(W, seed)
    assert not np.array_equal(other, W)
    np.testing.assert_array_equal(np.sort(other, axis=1), np.sort(W, axis=1))
    np.testing.assert_array_equal(other, shuffled(W, seed))
