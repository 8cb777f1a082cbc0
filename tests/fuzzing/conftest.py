"""Valid files, a process that runs commands quickly, and a summary of the damaged files."""

from pathlib import Path

import pytest
from helpers.fuzzing.campaign import Server
from helpers.fuzzing.healthy import make_files

PROJECT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def server():
    running = Server()
    yield running
    running.close()


@pytest.fixture(scope="session")
def healthy(server, tmp_path_factory):
    folder = tmp_path_factory.mktemp("healthy")
    make_files(server, folder, PROJECT)
    return folder


def pytest_terminal_summary(terminalreporter):
    reports = terminalreporter.getreports("passed") + terminalreporter.getreports("failed")
    found = [value for one in reports for name, value in one.user_properties if name == "tally"]
    if not found:
        return
    terminalreporter.section("damaged files")
    write = terminalreporter.write_line
    write(
        f"{'kind':24} {'files':>7} {'refused':>8} {'wrong':>6} {'seconds':>8} {'MiB':>6}  slowest"
    )
    for kind, files, refused, wrong, seconds, mib, slowest in [*found, _all(found)]:
        write(
            f"{kind:24} {files:7} {refused:8} {wrong:6} {seconds:8.2f} {mib:6.0f}  {slowest[:60]}"
        )


def _all(found):
    """Return the sums of the counts, and the maxima of time and memory."""
    _, *counts, seconds, mib, _ = zip(*found, strict=True)
    return "all", *map(sum, counts), max(seconds), max(mib), ""
