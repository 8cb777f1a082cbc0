"""Pictures in folders, files and archives, in an order that does not depend on the file system."""

import os
from collections.abc import Callable
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from ..errors import InputError
from . import archives
from .grey import SUFFIXES, read_file


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture that was found."""

    name: str
    """Path below the source, with slashes; through the archive if that lies in a folder."""
    origin: str
    """Where it is: its path, which leads through the archive if it is in one."""
    read: Callable[[], bytes]
    """Gives the content of the file."""


def check_named(path):
    """Refuse an empty name, which would be the folder where the command was started."""
    if not str(path):
        raise InputError("the name of a file or folder is empty")


def is_picture(name):
    """Whether a name is that of a picture."""
    return name.lower().endswith(SUFFIXES)


@contextmanager
def found(sources, leave_out=None):
    """All pictures of some folders, files and archives, as long as the block lasts.

    Parameters
    ----------
    sources : sequence of paths
    leave_out : path, optional
        A folder that is not searched.

    Yields
    ------
    list of Picture, to be read in this order

    Raises
    ------
    InputError
        If a source is not there or unusable.
    """
    with closing(_Archives()) as opened:
        pictures = []
        for source in sources:
            check_named(source)
            pictures += _from_source(Path(source), leave_out, opened)
        yield pictures


class _Archives:
    """Archives, of which one is open at a time, however many there are."""

    def __init__(self):
        self._path, self._files, self._stack = None, [], ExitStack()

    def files(self, path):
        """Pairs of a name and a function that gives the content, as long as no other is opened."""
        if path != self._path:
            self.close()
            self._files = self._stack.enter_context(archives.opened(path))
            self._path = path
        return self._files

    def read(self, path, name, number):
        """The content of a file that was found in an archive."""
        files = self.files(path)
        if number >= len(files) or files[number][0] != name:
            raise InputError("is gone: the archive has changed")
        return files[number][1]()

    def close(self):
        """Close the one that is open."""
        self._path, self._files = None, []
        self._stack.close()


def _from_source(source, leave_out, opened):
    if leave_out is not None and _is_within(source, leave_out):
        raise InputError(f"{source}: lies in the target {leave_out}; give a new folder")
    if source.is_dir():
        return _from_folder(source, leave_out, opened)
    if not source.exists():
        raise InputError(f"{source}: no such file or folder")
    if not source.is_file():
        raise InputError(f"{source}: is neither a folder nor an ordinary file")
    if archives.is_archive(source):
        return _from_archive(source, "", opened)
    return [_from_file(source, source.name)]


def _is_within(path, folder):
    path, folder = os.path.realpath(path), os.path.realpath(folder)
    return os.path.commonpath([path, folder]) == folder


def _from_folder(folder, leave_out, opened):
    pictures = []
    for path in files_below(folder, leave_out):
        name = path.relative_to(folder).as_posix()
        if is_picture(path.name):
            pictures.append(_from_file(path, name))
        elif archives.is_archive(path):
            inside = (Path(name).parent / archives.stem(path)).as_posix() + "/"
            pictures += _from_archive(path, inside, opened)
    return pictures


def _from_file(path, name):
    return Picture(name, str(path), lambda: read_file(path))


def _from_archive(path, prefix, opened):
    return [
        Picture(prefix + name, f"{path}/{name}", partial(opened.read, path, name, number))
        for number, (name, _) in enumerate(opened.files(path))
        if is_picture(name) and not _is_hidden(name)
    ]


def _is_hidden(name):
    return any(part.startswith(".") or part == "__MACOSX" for part in name.split("/"))


def files_below(folder, leave_out=None):
    """Paths of all files below a folder, sorted, through links to folders, without hidden ones."""
    avoid = {os.path.realpath(leave_out)} if leave_out is not None else set()
    paths = []
    seen = set()

    def refuse(error):
        raise InputError(f"{error.filename}: cannot be read ({error.strerror})") from None

    for base, folders, files in os.walk(folder, followlinks=True, onerror=refuse):
        real = os.path.realpath(base)
        if real in avoid or real in seen:
            folders.clear()
            continue
        seen.add(real)
        folders[:] = sorted(name for name in folders if not _is_hidden(name))
        paths += [Path(base, name) for name in files if not _is_hidden(name)]
    return sorted(paths, key=lambda path: os.fsencode(path.relative_to(folder).as_posix()))
