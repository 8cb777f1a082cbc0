"""Side length of square patches."""

import pytest

from ezdl_cli.core.patch_shape import patch_side


def test_side_of_square_patches():
    assert [patch_side(n) for n in (1, 64, 10**10)] == [1, 8, 10**5]


def test_vectors_that_are_not_square_patches_are_rejected():
    for n_features in (2, 63, 10**10 + 1):
        with pytest.raises(ValueError, match="not square patches"):
            patch_side(n_features)
