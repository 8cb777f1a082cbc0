"""Manifests of image collections: `manifest.json`, written by `ezdl images`."""

from contextlib import suppress
from dataclasses import dataclass, fields
from pathlib import Path

from ..errors import InputError
from .atomic_files import save_text
from .json_formats import load_json, to_json

MANIFEST = "manifest.json"
KIND = "ezdl images"


@dataclass(frozen=True, kw_only=True)
class ManifestEntry:
    """One image of a collection; `io/schemas/manifest.json` describes the fields."""

    file: str
    """Path of the PNG file below the folder of the collection."""
    source: str | None = None
    author: str | None = None
    licence: str | None = None
    width: int | None = None
    height: int | None = None
    bytes: int | None = None
    sha256: str
    """Checksum of the PNG file."""
    source_sha256: str | None = None


@dataclass(frozen=True)
class Manifest:
    """Content of an image collection."""

    entries: tuple[ManifestEntry, ...]
    source: str | None = None
    """Kind of collection, such as "built-in photographs"."""
    incomplete: bool = False
    """Whether the command that was to replace the collection has been interrupted."""


def save_manifest(folder, manifest):
    """Write the manifest of a collection into its folder."""
    content = {"incomplete": manifest.incomplete or None, "source": manifest.source}
    content = {"kind": KIND, **_known(content)}
    content["pictures"] = [_known(vars(entry)) for entry in manifest.entries]
    save_text(Path(folder) / MANIFEST, to_json(content))


def _known(values):
    return {name: value for name, value in values.items() if value is not None}


def load_manifest(folder):
    """Read the manifest of a collection; raise InputError if `ezdl images` has written none."""
    content = load_json(Path(folder) / MANIFEST, "manifest")
    names = {field.name for field in fields(ManifestEntry)}
    entries = tuple(
        ManifestEntry(**{name: value for name, value in entry.items() if name in names})
        for entry in content["pictures"]
    )
    return Manifest(entries, content.get("source"), bool(content.get("incomplete")))


def find_manifest(folder):
    """Return the manifest of a folder, or None if the folder is not an image collection."""
    with suppress(InputError):
        return load_manifest(folder)
    return None
