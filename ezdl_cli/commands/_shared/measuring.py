"""What commands that measure a dictionary on many pictures have in common."""

from contextlib import contextmanager
from pathlib import Path

from ... import io
from ...core.patch_shape import patch_side
from ...errors import InputError
from ...images.collection import list_images, report_bad
from ...images.grey import read_grey
from ...parallel import in_order
from .facts import facts_of
from .progress import silent_decoders, tell


def atoms_side(source, dictionary):
    """Height and width of the atoms of a dictionary; InputError if they are no patches."""
    if dictionary.matrices:
        raise InputError(f"{source}: was learned from whitened samples; give one of raw patches")
    try:
        return patch_side(dictionary.W.shape[1])
    except ValueError as error:
        raise InputError(f"{source}: {error}") from None


def usable_pictures(images, target, source, folder, least, skip_bad):
    """Names and paths of the pictures that can be used, and names and reasons of those that cannot.

    Parameters
    ----------
    images : path of the folder of pictures
    target, source : paths of the table and of the dictionary
    folder : path or None
        Where pictures are to be saved: nothing that is read may be written over.
    least : int
        Height and width that pictures must have.
    skip_bad : bool
        Whether some may be unusable.
    """
    pictures = list_images(images)
    io.check_not_among(target, [source, *(path for _, path in pictures)])
    if folder is not None and folder.resolve().is_relative_to(Path(images).resolve()):
        raise InputError(f"{folder}: is in the folder of pictures; give another one")
    with silent_decoders(), in_order(lambda p: _problem(*p, least), pictures) as problems:
        bad = [(name, reason) for name, reason in problems if reason is not None]
    unusable = {name for name, _ in bad}
    good = [picture for picture in pictures if picture[0] not in unusable]
    report_bad(bad, [name for name, _ in good], skip_bad)
    return good, bad


def _problem(name, path, least):
    """A picture's name, and what is wrong with it or None."""
    try:
        height, width = read_grey(path).shape
    except InputError as error:
        return name, str(error)
    if min(height, width) < least:
        return name, f"is {width} × {height} pixels; at least {least} × {least} are needed"
    return name, None


@contextmanager
def kept_rows(target, source, dictionary, names):
    """A list of rows that becomes the table; if the block fails, those so far are kept beside it.

    Parameters
    ----------
    target : path of the table
    source, dictionary : path and content of the dictionary, of which each row tells
    names : sequence of str
        The columns of a row.
    """
    about, rows = facts_of(source, dictionary), []

    def table():
        measured = dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))
        return {name: [value] * len(rows) for name, value in about.items()} | measured

    try:
        yield rows
        io.save_table(target, table())
    except BaseException:
        if rows:
            partial = Path(target).with_suffix(".partial.csv")
            io.save_table(partial, table())
            tell(f"the {len(rows)} rows so far are in {partial}")
        raise


def check_saved_names(names, stem):
    """Refuse pictures whose results would be saved under the same name, which `stem` gives."""
    first = {}
    for name in names:
        other = first.setdefault(stem(name), name)
        if other != name:
            raise InputError(f"{other} and {name} would be saved under one name; rename one")


def save_picture(folder, name, pixels):
    """Write grey values as PNG, if there is a folder for them."""
    if folder is None:
        return
    path = folder / f"{name}.png"
    path.parent.mkdir(parents=True, exist_ok=True)
    io.save_png(path, pixels)
