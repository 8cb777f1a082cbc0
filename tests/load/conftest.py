"""The largest inputs that commands must handle: run by `make test-load`, not by `make test`.

They need about 30 GB of disk, 10 GB of memory, and the better part of an hour on two cores.
`EZDL_LOAD_FOLDER` sets the folder of the files; the default is the system's temporary folder.
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
    """Create a folder per test module and remove it afterwards: the disk cannot hold all."""
    path = tempfile.mkdtemp(prefix="ezdl-load-", dir=os.environ.get("EZDL_LOAD_FOLDER"))
    yield Path(path)
    shutil.rmtree(path)


@pytest.fixture(scope="session")
def stands(request):
    """Run a command that must succeed, record it for the summary, and return its resources."""

    def run(what, *arguments, **options):
        taken = measure(*arguments, **options)
        request.config.stash[ROWS].append((what, taken))
        assert taken.code == 0, (arguments, taken.stdout, taken.stderr)
        return taken

    return run


@pytest.fixture(scope="session")
def dictionary():
    """Return the dictionary of the package: 256 atoms of 8 x 8 pixels."""
    return DEFAULT


def pytest_terminal_summary(terminalreporter, config):
    rows = config.stash[ROWS]
    if not rows:
        return
    terminalreporter.section("load")
    width = max(len(what) for what, _ in rows)
    terminalreporter.write_line(
        f"{'':{width}}  seconds  CPU time   memory MiB  with mapped files MiB"
    )
    for what, taken in rows:
        numbers = f"{taken.seconds:7.1f}  {taken.processor:9.1f}"
        numbers += f"  {taken.memory / MIB:10.0f}  {taken.resident / MIB:21.0f}"
        terminalreporter.write_line(f"{what:{width}}  {numbers}")
