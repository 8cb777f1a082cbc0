"""The folder of a collection: created only when complete, replaced without losing a file.

A new folder gets its name when it is complete. An existing one is filled: its manifest first marks
it as incomplete and lists the old and the new files, so that the run after a killed one recognises
them as its own.
"""

import hashlib
import os
import shutil
from contextlib import contextmanager, suppress
from pathlib import Path

from ..errors import InputError
from ..io import check_folder, new_name, remove_leftovers, sync
from ..io.manifests import MANIFEST, Manifest, find_manifest, load_manifest, save_manifest

TIMESTAMP = ".snakemake_timestamp"  # left by Snakemake in the folders that it creates


@contextmanager
def new_collection_folder(folder):
    """Yield a temporary folder whose content becomes that of the collection after the block."""
    folder = check_folder(folder)
    base = folder / "content" if folder.exists() else folder
    remove_leftovers(base)
    remove_leftovers(folder / MANIFEST)
    if folder.exists():
        _known_files(folder)
    temporary = new_name(base)
    try:
        temporary.mkdir()
        yield temporary
        if folder.exists():
            _replace(folder, temporary)
        else:
            os.rename(temporary, folder)
            sync(folder.parent)
    except OSError as error:
        if error.filename is None or str(temporary) in str(error.filename):
            error.filename = str(folder)
        raise
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def _known_files(folder, ignore=None):
    """Manifest entries and paths of the files to be replaced; refuse a folder with any others.

    A file is known if it has a checksum that the manifest lists for it.
    """
    manifest = find_manifest(folder)
    entries = manifest.entries if manifest else ()
    checksums = {}
    for entry in entries:
        checksums.setdefault(folder / entry.file, set()).add(entry.sha256)
    paths = []
    for base, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if Path(base, name) != ignore]
        links = [name for name in folders if os.path.islink(os.path.join(base, name))]
        for path in (Path(base, name) for name in sorted(files + links)):
            if manifest and path == folder / MANIFEST:
                continue
            if path.name != TIMESTAMP and not _matches(path, checksums.get(path, ())):
                raise InputError(
                    f"{folder}: {path.relative_to(folder)} was not written by `ezdl images`, or"
                    " has changed; choose a new or empty folder"
                )
            paths.append(path)
    return entries, paths


def _matches(path, checksums):
    if not checksums or not path.is_file():
        return False
    return hashlib.sha256(path.read_bytes()).hexdigest() in checksums


def _replace(folder, temporary):
    """Replace the old files by the new ones."""
    old_entries, old_paths = _known_files(folder, ignore=temporary)
    new_entries = load_manifest(temporary).entries
    for entry in new_entries:
        if (folder / entry.file).is_dir():
            raise InputError(f"{folder}: {entry.file} in it is a folder; choose a new folder")
    save_manifest(folder, Manifest(old_entries + new_entries, incomplete=True))
    for path in old_paths:
        path.unlink(missing_ok=True)
        with suppress(OSError):  # of a folder that is not empty
            if path.parent != folder:
                path.parent.rmdir()
    for entry in new_entries:
        target = folder / entry.file
        target.parent.mkdir(parents=True, exist_ok=True)
        os.replace(temporary / entry.file, target)
    os.replace(temporary / MANIFEST, folder / MANIFEST)
    sync(folder)
