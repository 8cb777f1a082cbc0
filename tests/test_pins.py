"""All installed packages have the versions pinned in `config/constraints.txt`."""

import tomllib
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())


def pins():
    lines = (ROOT / "config" / "constraints.txt").read_text().splitlines()
    pairs = [line.split("==") for line in lines]
    assert all(len(pair) == 2 for pair in pairs)
    return {canonicalize_name(name): Version(version) for name, version in pairs}


def wanted(extra):
    """Return the requirements of the package with an extra."""
    project = PROJECT["project"]
    return project["dependencies"] + project["optional-dependencies"][extra]


def needed(requirements):
    """Return the versions of direct and indirect requirements; None for those not installed."""
    found, open_ends = {}, [(text, "") for text in requirements]
    seen = set()
    while open_ends:
        text, extra = open_ends.pop()
        requirement = Requirement(text)
        if requirement.marker and not requirement.marker.evaluate({"extra": extra}):
            continue
        name = canonicalize_name(requirement.name)
        if name == PROJECT["project"]["name"]:  # extras that contain others
            open_ends += [(text, "") for extra in requirement.extras for text in wanted(extra)]
            continue
        try:
            there = distribution(name)
        except PackageNotFoundError:
            found[name] = None
            continue
        found[name] = Version(there.version)
        for inner in ("", *requirement.extras):
            if (name, inner) not in seen:
                seen.add((name, inner))
                open_ends += [(text, inner) for text in there.requires or ()]
    return found


def test_requirements_of_the_tests_are_installed_as_pinned():
    there = needed(wanted("test") + wanted("pdf"))
    assert len(there) > 60  # including indirect ones
    known = pins()
    assert there == {name: known.get(name) for name in there}


def test_requirements_of_the_extras_are_pinned():
    for extra in PROJECT["project"]["optional-dependencies"]:
        assert not needed(wanted(extra)).keys() - pins().keys(), extra


def test_build_requirements_are_pinned():
    # Pinned twice: no option that would pin it exists in all versions of pip.
    built_by = [f"setuptools=={pins()['setuptools']}"]
    assert PROJECT["build-system"]["requires"] == built_by
    assert "pip" in pins()
