"""The examples in the docstrings of the public functions give the results they show."""

import doctest
from importlib import import_module

import pytest


@pytest.mark.parametrize(
    "name", ["core.projection", "core.gradient", "core.sparseness", "coding.lasso", "coding.ormp"]
)
def test_docstring_examples_are_correct(name):
    failed, attempted = doctest.testmod(import_module(f"ezdl_cli.{name}"))
    assert attempted > 0 and failed == 0
