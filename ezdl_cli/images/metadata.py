"""Metadata of an image file: EXIF data, resolution, and pictures besides the first one."""

from ..errors import InputError
from .exif import read_exif, turned_upright
from .pixels import Metadata
from .tiff_directories import TiffReader, integer

NEW_SUBFILE_TYPE, SUBFILE_TYPE = 254, 255  # tags of TIFF
REDUCED, MASK = 1, 4  # bits of the new one
OLD_REDUCED = 2
MAX_PAGES = 100  # that are counted
INTEGER_SIZE = 8  # bytes, at most


def read_metadata(stream, name, container):
    """Return the Metadata of an image file whose pixels were decoded.

    Parameters
    ----------
    stream : stream of the file
    name : str
        Its format.
    container : Container
        What the decoder reported.

    Raises
    ------
    InputError
        If there are several frames or pages; the message is the reason alone.
    """
    notes = [*container.notes, *_check_frames(stream, name, container.n_frames)]
    source = stream if name == "TIFF" else container.exif
    exif = exif_dpi = None
    if source:
        try:
            exif, exif_dpi, n_damaged = read_exif(source)
            if n_damaged:
                notes.append(f"damaged EXIF data ({n_damaged} entries) were left out")
        except ValueError as error:
            notes.append(f"EXIF data were left out ({error})")
    dpi = container.dpi or exif_dpi
    if dpi is not None and container.orientation >= 5:
        dpi = dpi[::-1]
    if exif is not None:
        exif = turned_upright(exif, container.orientation)
    return Metadata(exif, dpi, tuple(notes))


def several_pictures(stream, name, container):
    """Return the pictures of a file as text, such as "3 pages"; None if there is only one.

    Small copies and masks do not count. The arguments are those of `read_metadata`.
    """
    number = sum(_pages(stream)) if name == "TIFF" else container.n_frames
    kind = {"TIFF": "pages", "JPEG": "pictures"}.get(name, "frames")
    more = " or more" if name == "TIFF" and number == MAX_PAGES else ""
    return f"{number}{more} {kind}" if number > 1 else None


def _check_frames(stream, name, n_frames):
    """Return notes on further pictures; raise InputError if they are as important as the first."""
    if name == "TIFF":
        return _check_pages(stream)
    if n_frames == 1:
        return []
    if name == "JPEG":
        return [f"only the first of {n_frames} pictures in the file is used"]
    raise InputError(f"an animation of {n_frames} frames; save the one to be used as an image")


def _check_pages(stream):
    """Check that all pages of a TIFF but the first are reduced copies, or masks."""
    pages = _pages(stream)
    if sum(pages) >= 2 or (sum(pages) and not pages[0]):
        number = f"{len(pages)} or more" if len(pages) == MAX_PAGES else len(pages)
        raise InputError(f"a TIFF of {number} pages; save the one to be used as an image")
    if len(pages) <= 1:
        return []
    return [f"only the first of {len(pages)} pages is used; the others are small copies or masks"]


def _pages(stream):
    """Return for each page of a TIFF whether it is an image of its own."""
    pages, seen = [], set()
    try:
        reader = TiffReader(stream)
        offset = reader.first
        while offset and offset not in seen and len(pages) < MAX_PAGES:
            seen.add(offset)
            wanted = (NEW_SUBFILE_TYPE, SUBFILE_TYPE)
            tags, offset, _ = reader.directory(offset, wanted, INTEGER_SIZE)
            kind = integer(reader.order, tags.get(NEW_SUBFILE_TYPE)) or 0
            old_kind = integer(reader.order, tags.get(SUBFILE_TYPE))
            pages.append(not kind & (REDUCED | MASK) and old_kind != OLD_REDUCED)
    except ValueError:  # damaged; no decoder would find more of them
        pass
    return pages
