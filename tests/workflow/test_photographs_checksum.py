"""The checksum that makes the pipeline notice a changed photograph."""

import os

import pytest

from ezdl_cli.workflow.photographs_checksum import photographs_checksum


@pytest.fixture
def photo(tmp_path):
    path = tmp_path / "train" / "a.png"
    path.parent.mkdir()
    path.write_bytes(b"pixels")
    return path


def test_checksum_is_constant_while_nothing_changes(photo, tmp_path):
    assert photographs_checksum(str(tmp_path)) == photographs_checksum(str(tmp_path))


@pytest.mark.parametrize(
    "change",
    [
        lambda photo: photo.write_bytes(b"other pixels"),
        lambda photo: os.utime(photo, (1, 1)),
        lambda photo: photo.rename(photo.with_name("b.png")),
        lambda photo: photo.unlink(),
        lambda photo: photo.with_name("b.png").touch(),
    ],
    ids=["content", "time", "name", "removed", "added"],
)
def test_checksum_changes_with_a_photograph(photo, tmp_path, change):
    before = photographs_checksum(str(tmp_path))
    change(photo)
    assert photographs_checksum(str(tmp_path)) != before


def test_builtin_photographs_do_not_change():
    assert photographs_checksum("builtin") == photographs_checksum("missing folder")
