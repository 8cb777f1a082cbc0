"""The public interface: names, type hints and docstrings agree."""

import ast
import dataclasses
import doctest
import inspect
import re
import sys
import typing
from importlib import import_module
from pathlib import Path

import pytest

import ezdl_cli as ez
from ezdl_cli.gabor.fit import Gabor
from ezdl_cli.restoration.denoising_parameters import DenoisingParameters
from ezdl_cli.restoration.noise_estimate import NoiseEstimate
from ezdl_cli.samples.whitening import Whitening

# What functions return or take, besides the exported names.
RECORDS = [DenoisingParameters, Gabor, NoiseEstimate, Whitening]
OBJECTS = [getattr(ez, name) for name in ez.__all__] + RECORDS
CLASSES = [found for found in OBJECTS if inspect.isclass(found)]


def public_functions():
    """Return functions, and the public methods of classes, of this package by qualified name."""
    found = {item.__qualname__: item for item in OBJECTS if not inspect.isclass(item)}
    for item in CLASSES:
        if item is DenoisingParameters:  # its methods are for the package
            continue
        for name, member in inspect.getmembers(item):
            member = member.fget if isinstance(member, property) else member
            is_own = inspect.isfunction(member) and member.__module__.startswith("ezdl_cli")
            if is_own and not name.startswith("_"):
                found[f"{item.__name__}.{name}"] = member
        if not dataclasses.is_dataclass(item):
            found[f"{item.__name__}.__init__"] = item.__init__
    found["DenoisingPrior.__call__"] = ez.DenoisingPrior.__call__
    return found


FUNCTIONS = public_functions()


def test_type_checkers_see_the_names_that_the_interpreter_imports():
    tree = ast.parse(Path(ez.__file__).read_text())
    (block,) = (
        node for node in tree.body if isinstance(node, ast.If) and isinstance(node.test, ast.Name)
    )
    seen = {
        alias.name: node.module
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert seen == ez._MODULES
    assert sorted(ez.__all__) == sorted(ez._MODULES)


def test_submodules_are_imported_on_first_use(run):
    code = "import sys, ezdl_cli; print(*sorted(set(sys.modules) & {'numpy', 'numba', 'typing'}))"
    done = run(sys.executable, "-S", "-c", f"import sys; sys.path[:0] = {sys.path}; {code}")
    assert (done.stdout, done.stderr) == ("\n", "")


def test_package_declares_its_types():
    assert Path(ez.__file__).with_name("py.typed").exists()


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_argument_and_result_has_a_type(name):
    hints = typing.get_type_hints(FUNCTIONS[name])
    arguments = {*inspect.signature(FUNCTIONS[name]).parameters} - {"self"}
    assert set(hints) == {*arguments, "return"}


@pytest.mark.parametrize("found", CLASSES, ids=lambda found: found.__name__)
def test_every_documented_attribute_has_a_type(found):
    hints = typing.get_type_hints(found)
    names = sections(found).get("Attributes", [])
    assert {*names} <= {*hints}
    if dataclasses.is_dataclass(found):
        assert {field.name for field in dataclasses.fields(found)} <= {*hints}


def sections(item):
    """Return the names that each numpydoc section of a docstring describes."""
    found, title = {}, None
    lines = inspect.getdoc(item).splitlines()
    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        if following and set(following) == {"-"}:
            title = line
            found[title] = []
        elif title and re.match(r"[\w*]", line):
            found[title] += [name.strip("* ") for name in line.split(" : ")[0].split(", ")]
    return found


@pytest.mark.parametrize(
    "item", [*FUNCTIONS.values(), *CLASSES], ids=lambda item: item.__qualname__
)
def test_documented_parameters_are_those_of_the_signature(item):
    if item.__qualname__.endswith("__init__"):  # documented by the class
        return
    signature = inspect.signature(item)
    expected = [name for name in signature.parameters if name != "self"]
    if item in RECORDS:  # fields have docstrings of their own
        return
    assert sections(item).get("Parameters", []) == expected


@pytest.mark.parametrize("item", FUNCTIONS.values(), ids=lambda item: item.__qualname__)
def test_results_are_documented(item):
    """Short methods say it in their first line, see pydocstyle's "Return"."""
    if typing.get_type_hints(item)["return"] is type(None):
        return
    assert {"Returns", "Yields"} & set(sections(item)) or inspect.getdoc(item).count("\n") == 0


@pytest.mark.parametrize(
    "name", ["", "learn.dictionary_estimator", *sorted({*ez._MODULES.values()})]
)
def test_examples_in_docstrings_are_correct(name):
    failed, attempted = doctest.testmod(import_module(f"ezdl_cli.{name}".rstrip(".")))
    assert attempted > 0 and failed == 0


@pytest.mark.parametrize("name", ez.__all__)
def test_everything_exported_has_an_example(name):
    assert ">>> import ezdl_cli as ez" in inspect.getdoc(getattr(ez, name))
