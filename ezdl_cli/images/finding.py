"""Image files in folders and archives, in an order that does not depend on the file system."""

import os
from collections.abc import Callable
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from ..errors import InputError
from .archives import archive_stem, open_archive
from .decoding import read_image_file
from .formats import SUFFIXES


@dataclass(frozen=True, slots=True)
class ImageSource:
    """An image file that was found, perhaps inside an archive."""

    # Path below the searched folder, with slashes; an archive in it counts as a folder.
    name: str
    # Path of the file; that of an archive is followed by the path in the archive.
    origin: str
    # Function that returns the content of the file.
    read: Callable[[], bytes]
    # What else is known, for the manifest: author and licence.
    about: dict = field(default_factory=dict)


@contextmanager
def find_images(sources, exclude=None):
    """Yield a list of ImageSource: all images in folders, files and archives.

    The folder `exclude` is not searched. Images can be read while the block lasts; in this order,
    otherwise archives are reopened repeatedly.
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
            self._files = self._stack.enter_context(open_archive(path))
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
    real = Path(os.path.realpath(source))
    if exclude is not None and real.is_relative_to(os.path.realpath(exclude)):
        raise InputError(f"{source}: lies in the target folder {exclude}; choose another target")
    if not source.exists():
        raise InputError(f"{source}: no such file or folder")
    if source.is_dir():
        paths = [(path, path.relative_to(source)) for path in files_below(source, exclude)]
        return [image for each in paths for image in _in_file(*each, opened)]
    if archive_stem(source) is not None:
        return _in_archive(source, "", opened)
    return [ImageSource(source.name, str(source), partial(read_image_file, source))]


def _in_file(path, name, opened):
    """The images of a file in a folder: itself, those of an archive, or none."""
    if is_image(path.name):
        return [ImageSource(name.as_posix(), str(path), partial(read_image_file, path))]
    stem = archive_stem(path)
    return _in_archive(path, f"{name.with_name(stem).as_posix()}/", opened) if stem else []


def _in_archive(path, prefix, opened):
    return [
        ImageSource(prefix + name, f"{path}/{name}", partial(opened.read, path, name, index))
        for index, (name, _) in enumerate(opened.files(path))
        if is_image(name) and not _is_hidden(name)
    ]


def _is_hidden(name):
    return any(part.startswith(".") or part == "__MACOSX" for part in name.split("/"))
