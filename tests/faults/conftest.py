"""Undisturbed runs for comparison, and a summary of the faults that were survived."""

import time
from collections import Counter
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
from helpers.fault_scenarios import Scenario, ezdl, lay_out, make_inputs
from helpers.written_files import contents, is_temporary, what_is_damaged


@dataclass(frozen=True)
class Prepared:
    """A scenario with its inputs, older results, and the results of an undisturbed run."""

    scenario: Scenario
    folder: Path
    before: dict
    """Checksums of the inputs and the older results."""
    after: dict
    """The same after an undisturbed run."""
    seconds: float
    """Duration of that run."""

    def lay_out(self, folder):
        """Copy the inputs and older results into a folder."""
        return lay_out(self.folder, folder, *self.scenario.inputs, *self.scenario.results)

    def check_names(self, folder):
        """Check that each file under a final name is unchanged, complete, or as after the run."""
        for name, checksum in contents(folder).items():
            known = {self.before.get(name), self.after.get(name)}
            if not is_temporary(name) and checksum not in known:
                assert what_is_damaged(folder / name) is None, name
        for name in self.scenario.inputs:
            lost = contents(self.folder / name) if (self.folder / name).is_dir() else {}
            assert all((folder / name / one).exists() for one in lost)
            assert (folder / name).exists()

    def check_next_run(self, folder):
        """Check that the next run gives exactly the files of an undisturbed one."""
        done = ezdl(folder, *self.scenario.command)
        assert done.returncode == 0, done.stderr
        left = {n: c for n, c in contents(folder).items() if not n.endswith(".partial.csv")}
        assert left == self.after


@pytest.fixture(scope="session")
def inputs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("inputs")
    make_inputs(folder)
    return folder


@pytest.fixture(scope="session")
def prepare(inputs, tmp_path_factory):
    """Return a cached function from a scenario to its `Prepared`."""

    @cache
    def prepare_once(scenario):
        folder = tmp_path_factory.mktemp("prepared") / "run"
        lay_out(inputs, folder, *scenario.inputs)
        done = ezdl(folder, *scenario.older)
        assert done.returncode == 0, done.stderr
        undisturbed = lay_out(
            folder, folder.parent / "undisturbed", *scenario.inputs, *scenario.results
        )
        start = time.monotonic()
        done = ezdl(undisturbed, *scenario.command)
        assert done.returncode == 0, done.stderr
        seconds = time.monotonic() - start
        return Prepared(scenario, folder, contents(folder), contents(undisturbed), seconds)

    return prepare_once


@pytest.fixture
def survived(record_property):
    """Return a function that records a survived fault for the summary."""

    def note(what, happened=True):
        if happened:
            record_property("survived", what)

    return note


def pytest_terminal_summary(terminalreporter):
    reports = terminalreporter.getreports("passed") + terminalreporter.getreports("failed")
    noted = [value for one in reports for name, value in one.user_properties if name == "survived"]
    if noted:
        terminalreporter.section("survived")
    for what, count in sorted(Counter(noted).items()):
        terminalreporter.write_line(f"{count:6} {what}")
