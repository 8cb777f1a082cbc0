"""The folder of a collection: how it comes to be, and how it is replaced without losing a file.

A new folder takes its name when it is complete. One that is there already is filled: its manifest
first says that it is incomplete and names the old files and the new ones; so a run that is killed
leaves what the next one recognises as its own.
"""

import hashlib
import os
import shutil
from contextlib import contextmanager, suppress
from pathlib import Path

from ..errors import InputError
from ..io import check_folder, new_name, remove_leftovers, sync
from ..io.manifests import MANIFEST, Manifest, find_manifest, load_manifest, save_manifest

# What Snakemake leaves in folders that it knows.
MARKS = (".snakemake_timestamp",)


@contextmanager
def new_folder(folder):
    """A temporary folder whose content becomes that of the collection at the end of the block."""
    folder = check_folder(folder)
    place = folder / "content" if folder.exists() else folder
    remove_leftovers(place)
    remove_leftovers(folder / MANIFEST)
    if folder.exists():
        _old_files(folder)
    temporary = new_name(place)
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


def _old_files(folder, beside=()):
    """Entries and names of the files that are to be replaced; anything else is refused.

    A file is one of ours if it has a checksum that the manifest gives for it.
    """
    manifest = find_manifest(folder)
    entries = manifest.entries if manifest else ()
    sums = {}
    for entry in entries:
        sums.setdefault(str(folder / entry.file), set()).add(entry.sha256)
    if manifest:
        sums[str(folder / MANIFEST)] = None
    ours = []
    for base, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if Path(base, name) not in beside]
        links = [name for name in folders if os.path.islink(os.path.join(base, name))]
        for path in (Path(base, name) for name in sorted(files + links)):
            name = str(path)
            known = path.name in MARKS or (name in sums and _matches(path, sums[name]))
            if not known:
                raise InputError(
                    f"{folder}: {path.relative_to(folder)} in it is not from `ezdl images`, or was"
                    " changed; give an empty or a new folder"
                )
            ours.append(name)
    return entries, ours


def _matches(path, checksums):
    if checksums is None:
        return True
    return path.is_file() and hashlib.sha256(path.read_bytes()).hexdigest() in checksums


def _replace(folder, temporary):
    """Put the new files in the place of the old ones."""
    old_entries, old = _old_files(folder, beside=[temporary])
    new_entries = load_manifest(temporary).entries
    for entry in new_entries:
        if (folder / entry.file).is_dir():
            raise InputError(f"{folder}: {entry.file} in it is a folder; give a new folder")
    save_manifest(folder, Manifest(old_entries + new_entries, incomplete=True))
    for path in map(Path, old):
        if path != folder / MANIFEST:
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
