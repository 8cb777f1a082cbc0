"""The largest things that the commands must stand; `make test-load` runs them, `make test` not.

Some 30 GB of disk and 10 GB of memory are needed, and the better part of an hour on two cores.
`EZDL_LOAD_FOLDER` says where the files go, by default where pytest has its temporary ones.
"""

import os
import shutil
import tempfile
from pathlib import Path

import pytest
from helpers.memory import MIB, measure

from ezdl_cli.io.dictionaries import DEFAULT

ROWS = pytest.StashKey[list]()


def pytest_configure(config):
    config.stash[ROWS] = []


@pytest.fixture(scope="module")
def folder():
    """A folder for one file of tests, removed at once: there is not room for all."""
    path = tempfile.mkdtemp(prefix="ezdl-load-", dir=os.environ.get("EZDL_LOAD_FOLDER"))
    yield Path(path)
    shutil.rmtree(path)


@pytest.fixture(scope="session")
def stands(request):
    """Run a command that must succeed, note it for the table, and give what it took."""

    def run(what, *arguments, **options):
        taken = measure(*arguments, **options)
        request.config.stash[ROWS].append((what, taken))
        assert taken.code == 0, (arguments, taken.stdout, taken.stderr)
        return taken

    return run


@pytest.fixture(scope="session")
def dictionary():
    """That of the package: 256 atoms of 8 x 8 pixels."""
    return DEFAULT


def pytest_terminal_summary(terminalreporter, config):
    rows = config.stash[ROWS]
    if not rows:
        return
    terminalreporter.section("load")
    width = max(len(what) for what, _ in rows)
    terminalreporter.write_line(
        f"{'':{width}}  seconds  computing  memory MiB  with mapped files MiB"
    )
    for what, taken in rows:
        numbers = f"{taken.seconds:7.1f}  {taken.processor:9.1f}"
        numbers += f"  {taken.memory / MIB:10.0f}  {taken.resident / MIB:21.0f}"
        terminalreporter.write_line(f"{what:{width}}  {numbers}")
