"""Progress in the logs of steps; bars in terminals are those of click."""

import errno
from io import StringIO

import pytest

from ezdl_cli.commands._shared.progress_bar import progress
from ezdl_cli.workflow import progress_lines


@pytest.fixture
def advanced(monkeypatch, capsys):
    """Return a function that shows the progress of four steps, and returns what is printed."""
    monkeypatch.setattr(progress_lines, "INTERVAL", 0.0)

    def advance(variable, quiet=False):
        monkeypatch.setenv("EZDL_PROGRESS", variable)
        with progress(4, "Training", quiet) as move:
            for _ in range(4):
                move(1, "an image")
        return capsys.readouterr()

    return advance


def test_logs_of_steps_get_lines(advanced):
    printed = advanced("1")
    assert printed.out == ""
    assert printed.err.splitlines() == [f"Training: {i} of 4, 0 s left" for i in (1, 2, 3)]


def test_other_files_get_nothing(advanced):
    assert advanced("") == advanced("1", quiet=True) == ("", "")


def test_full_disk_does_not_stop_the_work(monkeypatch):
    class Full(StringIO):
        def write(self, text):
            attempts.append(text)
            raise OSError(errno.ENOSPC, "No space left on device")

    attempts = []
    monkeypatch.setattr(progress_lines, "INTERVAL", 0.0)
    monkeypatch.setenv("EZDL_PROGRESS", "1")
    monkeypatch.setattr("sys.stderr", Full())
    with progress(2, "Training") as move:
        move(1)
        move(1)
    assert attempts == ["Training: 1 of 2, 0 s left"]
