"""Manifests are read as they were written; others are not taken for ours."""

import json

import pytest

from ezdl_cli import io
from ezdl_cli.errors import InputError

ENTRY = io.ManifestEntry(file="train/a.png", sha256="0", width=3, height=4, licence="CC0")


@pytest.mark.parametrize(
    "manifest", [io.Manifest((ENTRY,), "import"), io.Manifest((), incomplete=True)]
)
def test_manifest_is_read_as_written(tmp_path, manifest):
    io.save_manifest(tmp_path, manifest)
    assert io.load_manifest(tmp_path) == manifest == io.find_manifest(tmp_path)


def test_unknown_fields_are_ignored(tmp_path):
    io.save_manifest(tmp_path, io.Manifest((ENTRY,)))
    content = json.loads((tmp_path / "manifest.json").read_text())
    content["pictures"][0]["camera"] = content["newer"] = "x"
    (tmp_path / "manifest.json").write_text(json.dumps(content))
    assert io.load_manifest(tmp_path).entries == (ENTRY,)


@pytest.mark.parametrize(
    "content",
    [
        None,
        "",
        "[]",
        "[" * 100_000,
        '{"kind": "other", "pictures": []}',
        '{"kind": "ezdl images", "pictures": 5}',
        '{"kind": "ezdl images", "pictures": [{"file": "a.png"}]}',
        '{"kind": "ezdl images", "pictures": [{"file": 1, "sha256": "0"}]}',
    ],
)
def test_foreign_and_damaged_manifests_are_refused(tmp_path, content):
    if content is not None:
        (tmp_path / "manifest.json").write_text(content)
    assert io.find_manifest(tmp_path) is None
    with pytest.raises(InputError, match=r"manifest\.json"):
        io.load_manifest(tmp_path)
