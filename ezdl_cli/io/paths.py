"""Checks of paths before anything is read or written."""

from pathlib import Path

from ..errors import InputError, one_line
from ..platforms import is_writable


def check_target(path, suffix=""):
    """Return the path to which a file can be written, with a symbolic link resolved.

    Raises InputError for another suffix, a missing folder, and what is not a writable file.
    """
    if suffix and Path(path).suffix.lower() != suffix:
        raise InputError(f"{path}: the name must end with {suffix}")
    path = resolve_link(path)
    if path.is_dir():
        raise InputError(f"{path}: is a folder; pass the name of a file")
    if path.exists() and not path.is_file():
        raise InputError(f"{path}: is not a regular file; choose another name")
    if not path.parent.is_dir():
        raise InputError(f"{path}: folder {path.parent} does not exist; create it first")
    parts = [part for part in (path, path.parent) if part.exists()]
    if not all(map(is_writable, parts)):
        raise InputError(f"{path}: is read-only, or its folder is; choose another name")
    return path


def check_folder(path):
    """Return the path at which a folder can be created or filled, with a link resolved."""
    if not str(path):
        raise InputError("the name of the folder is empty")
    path = resolve_link(path)
    if path.exists() and not path.is_dir():
        raise InputError(f"{path}: is a file; pass the name of a folder")
    if not path.exists() and not path.parent.is_dir():
        raise InputError(f"{path}: folder {path.parent} does not exist; create it first")
    return path


def resolve_link(path):
    """Return the path that a symbolic link points to, or the path itself if it is none."""
    path = Path(path)
    try:
        path = path.resolve() if path.is_symlink() else path
        path.exists()  # fails for names that are too long and in folders that may not be searched
    except (OSError, RuntimeError) as error:
        raise InputError(f"{path}: cannot be written ({one_line(error)})") from None
    return path


def check_not_among(target, sources):
    """Refuse to overwrite an input file."""
    target = Path(target)
    for source in map(Path, sources):
        if target.exists() and source.exists() and target.samefile(source):
            raise InputError(f"{target}: would overwrite an input file; choose another name")


def check_source(path):
    """Refuse a path that is not a regular file."""
    path = Path(path)
    if not path.exists():
        raise InputError(f"{path}: no such file")
    if not path.is_file():
        what = "a folder" if path.is_dir() else "not a regular file"
        raise InputError(f"{path}: is {what}; pass the name of a file")


def check_results(path):
    """Refuse a path that is not a folder of results written by the pipeline."""
    path = Path(path)
    if not path.is_dir():
        raise InputError(f"{path}: no such folder")
    if not (path / "tables").is_dir() and not (path / "figures").is_dir():
        raise InputError(f"{path}: has no folder tables or figures; pass one such as results/quick")
