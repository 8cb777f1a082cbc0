"""All that the set-up installs has the version that `config/constraints.txt` says."""

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
    """Requirements of the package itself with an extra, as text."""
    project = PROJECT["project"]
    return project["dependencies"] + project["optional-dependencies"][extra]


def needed(requirements):
    """Versions of all that is needed here, directly or by others; None if it is not installed."""
    found, open_ends = {}, [(text, "") for text in requirements]
    seen = set()
    while open_ends:
        text, extra = open_ends.pop()
        requirement = Requirement(text)
        if requirement.marker and not requirement.marker.evaluate({"extra": extra}):
            continue
        name = canonicalize_name(requirement.name)
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


def test_all_that_the_tests_need_is_installed_as_pinned():
    there = needed(wanted("test"))
    assert len(there) > 60  # also what others need
    known = pins()
    assert there == {name: known.get(name) for name in there}


def test_what_the_extras_need_is_pinned():
    for extra in PROJECT["project"]["optional-dependencies"]:
        assert not needed(wanted(extra)).keys() - pins().keys(), extra


def test_what_builds_the_package_is_pinned():
    # In two places: no option of pip is there in all its versions that would pin it.
    built_by = [f"setuptools=={pins()['setuptools']}"]
    assert PROJECT["build-system"]["requires"] == built_by
    assert "pip" in pins()
