"""A file is complete or missing, never partial."""

import os

import numpy as np
import pytest
from PIL import Image

from ezdl_cli import io
from ezdl_cli.errors import InputError


def test_failed_write_keeps_the_older_file(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("older")
    with pytest.raises(RuntimeError), io.complete_file(path) as temporary:
        temporary.write_text("half")
        raise RuntimeError
    assert path.read_text() == "older"
    assert list(tmp_path.iterdir()) == [path]


def test_leftovers_of_killed_processes_are_removed(tmp_path):
    path = tmp_path / "a.csv"
    with io.complete_file(path) as temporary:
        temporary.write_text("whole")
        other = temporary.with_name(temporary.name.replace(str(os.getpid()), "999999999"))
        running = temporary.with_name(temporary.name.replace(str(os.getpid()), str(os.getppid())))
    for leftover in (other, running):
        leftover.write_text("half")
    with io.complete_file(path) as temporary:
        temporary.write_text("again")
    assert sorted(tmp_path.iterdir()) == sorted([running, path])


def test_text_with_lone_surrogates_is_escaped(tmp_path):
    io.save_text(tmp_path / "a.md", "≥ \udcff\n")
    assert (tmp_path / "a.md").read_text(encoding="utf-8") == "≥ \\udcff\n"


def test_png_has_the_pixels_of_the_array(tmp_path):
    pixels = np.arange(12, dtype=np.uint8).reshape(3, 4)
    io.save_png(tmp_path / "a.png", pixels)
    with Image.open(tmp_path / "a.png") as image:
        assert image.format == "PNG"
        np.testing.assert_array_equal(np.array(image), pixels)


@pytest.mark.parametrize(
    "save", [io.save_text, lambda path, _: io.save_png(path, np.ones((2, 2), complex))]
)
def test_failed_save_leaves_nothing_behind(tmp_path, save):
    with pytest.raises((InputError, TypeError, ValueError, AttributeError)):
        save(tmp_path / "a", None)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["folder", "no/a.csv", "pipe", "a.txt"])
def test_target_that_cannot_be_written_is_refused(tmp_path, name):
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InputError, match=name.split("/")[0]):
        io.check_target(tmp_path / name, ".csv" if name == "a.txt" else "")
