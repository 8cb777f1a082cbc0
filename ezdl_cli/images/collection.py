"""A collection: a folder of 8-bit grey PNG files and its manifest, and any folder of pictures."""

import hashlib
import io
import os
from pathlib import Path, PurePosixPath

from PIL import Image

from ..errors import InputError, one_line
from ..io import sync
from ..io.manifests import MANIFEST, Manifest, ManifestEntry, find_manifest, save_manifest
from ..parallel import in_order
from .grey import read_grey
from .new_folder import new_folder
from .sources import check_named, files_below, is_picture

SETS = ("train", "reproduce", "denoise")
NAMED_AT_MOST = 20


def list_images(folder):
    """Names (paths below the folder) and paths of the pictures of a folder, sorted.

    Raises
    ------
    InputError
        If it is no folder, has no pictures, or holds the three sets, which must not be mixed.
    """
    check_named(folder)
    folder = Path(folder)
    if not folder.is_dir():
        what = "is no folder" if folder.exists() else "no such folder"
        raise InputError(f"{folder}: {what}; give a folder of pictures")
    if all((folder / name).is_dir() for name in SETS):
        raise InputError(f"{folder}: has the sets {', '.join(SETS)}; give one of these folders")
    paths = [path for path in files_below(folder) if is_picture(path.name)]
    if not paths:
        raise InputError(f"{folder}: has no pictures")
    return [(path.relative_to(folder).as_posix(), path) for path in paths]


def manifest_checksum(folder):
    """Checksum of the manifest of a collection, or of the one that a set belongs to, or None.

    Raises
    ------
    InputError
        If the collection was not completed.
    """
    for place in (Path(folder), Path(os.path.abspath(folder)).parent):
        manifest = find_manifest(place)
        if manifest and manifest.incomplete:
            raise InputError(f"{place}: was not completed; run `ezdl images` again")
        if manifest:
            return hashlib.sha256((place / MANIFEST).read_bytes()).hexdigest()
    return None


def write_collection(folder, pictures, source, notes=None, skip_bad=False, advance=lambda n: None):
    """Write pictures as grey PNG files into a folder, with a manifest.

    Parameters
    ----------
    folder : path
        It must not be there yet, be empty, or be a collection, which is replaced.
    pictures : list of Picture
        A picture keeps its name, with the ending .png.
    source : str
        What kind of collection it is, for the manifest.
    notes : list of dict, optional
        More to say about each picture.
    skip_bad : bool
        Leave out what cannot be used.
    advance : function of the number of pictures done

    Returns
    -------
    list of (name, reason), the pictures that were left out

    Raises
    ------
    InputError
        If pictures cannot be used, with their names and those of the good ones.
    """
    notes = notes or [{} for _ in pictures]
    entries, bad = [], []
    with new_folder(folder) as temporary:
        jobs = _jobs(pictures, notes, temporary, bad, advance)
        with in_order(_convert, jobs) as results:
            for origin, entry, reason in results:
                advance(1)
                if reason is None:
                    entries.append(entry)
                else:
                    bad.append((origin, reason))
        report_bad(bad, [entry.source for entry in entries], skip_bad)
        entries.sort(key=lambda entry: os.fsencode(entry.file))
        save_manifest(temporary, Manifest(tuple(entries), source))
    return bad


def _jobs(pictures, notes, folder, bad, advance):
    """Content, target and note of each picture; those that cannot be read are noted as bad."""
    taken = {}
    for picture, note in zip(pictures, notes, strict=True):
        target = str(PurePosixPath(picture.name).with_suffix(".png"))
        other = taken.get(target.casefold())
        taken[target.casefold()] = picture.origin
        try:
            if other is not None:
                raise InputError(f"would become {target}, as {other} does; import them apart")
            content = picture.read()
        except Exception as error:  # a damaged archive can raise nearly anything
            reason = one_line(error) or type(error).__name__
            known = isinstance(error, InputError)
            bad.append((picture.origin, reason if known else f"cannot be read ({reason})"))
            advance(1)
            continue
        yield picture.origin, content, folder / target, target, note


def _convert(job):
    """Write one picture; its origin, and its entry in the manifest or what is wrong with it."""
    origin, content, path, target, note = job
    try:
        pixels = read_grey(content)
    except InputError as error:
        return origin, None, str(error)
    png = io.BytesIO()
    Image.fromarray(pixels).save(png, "PNG")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(png.getvalue())
    except (FileExistsError, NotADirectoryError, IsADirectoryError):
        return origin, None, f"would become {target}, which is a folder as well"
    sync(path)
    entry = ManifestEntry(
        file=target,
        source=origin,
        **note,
        width=pixels.shape[1],
        height=pixels.shape[0],
        bytes=len(png.getvalue()),
        sha256=hashlib.sha256(png.getvalue()).hexdigest(),
        source_sha256=hashlib.sha256(content).hexdigest(),
    )
    return origin, entry, None


def report_bad(bad, good, skip_bad):
    """Refuse pictures that cannot be used, naming them and the good ones.

    Parameters
    ----------
    bad : list of (name, reason)
    good : list of str
    skip_bad : bool
        Whether it is enough that there is a good one.
    """
    if not bad or (skip_bad and good):
        return
    wrong = _named([f"{name} {reason}" for name, reason in bad], "; ")
    if not good:
        raise InputError(f"no picture can be used: {wrong}")
    raise InputError(
        f"{len(bad)} of {len(bad) + len(good)} pictures cannot be used: {wrong};"
        f" good: {_named(good, ', ')}; leave the bad out with --skip-bad"
    )


def _named(names, between):
    """The first names, and how many more there are."""
    more = len(names) - NAMED_AT_MOST
    return between.join(names[:NAMED_AT_MOST]) + (f" and {more} more" if more > 0 else "")
