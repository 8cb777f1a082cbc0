"""Image files in folders and archives, in an order that does not depend on the file system."""

import os
from collections.abc import Callable
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from ..errors import InputError
from . import archives
from .decoding import read_image_file
from .formats import SUFFIXES


@dataclass(frozen=True, slots=True)
class ImageSource:
    """An image file that was found, perhaps inside an archive."""

    name: str
    """path below the searched folder, with slashes; an archive in it counts as a folder"""
    origin: str
    """path of the file; that of an archive is followed by the path in the archive"""
    read: Callable[[], bytes]
    """function that returns the content of the file"""
    about: dict = field(default_factory=dict)
    """what else is known, for the manifest: author, licence"""


@contextmanager
def find_images(sources, exclude=None):
    """Find all images in folders, files and archives; they can be read while the block lasts.

    Parameters
    ----------
    sources : sequence of paths
    exclude : path, optional
        A folder that is not searched.

    Yields
    ------
    list of ImageSource
        Read them in this order: otherwise, archives are opened again and again.

    Raises
    ------
    InputError
        If a source is missing or cannot be read.
    """
    with closing(_OpenArchive()) as opened:
        yield [
            image for source in sources for image in _in_source(check_path(source), exclude, opened)
        ]


def check_path(path):
    """A path; an empty name is refused, as it would be the current folder."""
    if not str(path):
        raise InputError("the name of a file or folder is empty")
    return Path(path)


def is_image(name):
    """Whether a file name is that of an image in a supported format."""
    return name.lower().endswith(SUFFIXES)


def files_below(folder, exclude=None):
    """Sorted paths of all files below a folder, through links to folders, without hidden ones."""
    seen = {os.path.realpath(exclude)} if exclude is not None else set()
    paths = []

    def refuse(error):
        raise InputError(f"{error.filename}: cannot be read ({error.strerror})") from None

    for base, folders, files in os.walk(folder, followlinks=True, onerror=refuse):
        real = os.path.realpath(base)
        if real in seen:
            folders.clear()
            continue
        seen.add(real)
        folders[:] = sorted(name for name in folders if not _is_hidden(name))
        paths += [Path(base, name) for name in files if not _is_hidden(name)]
    return sorted(paths, key=lambda path: os.fsencode(path.relative_to(folder).as_posix()))


class _OpenArchive:
    """The archive that was used last: only one is open at a time, however many there are."""

    def __init__(self):
        self._path, self._files, self._stack = None, [], ExitStack()

    def files(self, path):
        """List the files of an archive, which stays open until another one is needed."""
        if path != self._path:
            self.close()
            self._files = self._stack.enter_context(archives.open_archive(path))
            self._path = path
        return self._files

    def read(self, path, name, index):
        """Read a file that was found in an archive."""
        files = self.files(path)
        if index >= len(files) or files[index][0] != name:
            raise InputError("no longer there: the archive has changed")
        return files[index][1]()

    def close(self):
        self._path, self._files = None, []
        self._stack.close()


def _in_source(source, exclude, opened):
    if exclude is not None and _is_within(source, exclude):
        raise InputError(f"{source}: lies in the target folder {exclude}; choose another target")
    if source.is_dir():
        return _in_folder(source, exclude, opened)
    if not source.exists():
        raise InputError(f"{source}: no such file or folder")
    if not source.is_file():
        raise InputError(f"{source}: neither a folder nor a regular file")
    if archives.is_archive(source):
        return _in_archive(source, "", opened)
    return [ImageSource(source.name, str(source), partial(read_image_file, source))]


def _is_within(path, folder):
    path, folder = os.path.realpath(path), os.path.realpath(folder)
    return os.path.commonpath([path, folder]) == folder


def _in_folder(folder, exclude, opened):
    images = []
    for path in files_below(folder, exclude):
        name = path.relative_to(folder).as_posix()
        if is_image(path.name):
            images.append(ImageSource(name, str(path), partial(read_image_file, path)))
        elif archives.is_archive(path):
            prefix = (Path(name).parent / archives.stem(path)).as_posix() + "/"
            images += _in_archive(path, prefix, opened)
    return images


def _in_archive(path, prefix, opened):
    return [
        ImageSource(prefix + name, f"{path}/{name}", partial(opened.read, path, name, index))
        for index, (name, _) in enumerate(opened.files(path))
        if is_image(name) and not _is_hidden(name)
    ]


def _is_hidden(name):
    return any(part.startswith(".") or part == "__MACOSX" for part in name.split("/"))
