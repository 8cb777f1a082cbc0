"""Folders of images: those of a user, and collections of 8-bit grey PNG files with a manifest."""

import hashlib
import io
import os
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from PIL import Image

from ..errors import InputError, one_line
from ..io import sync
from ..io.manifests import MANIFEST, Manifest, ManifestEntry, find_manifest, save_manifest
from ..parallel import in_order
from ..wording import join_names
from .archives import archive_stem
from .collection_folder import new_collection_folder
from .finding import check_path, files_below, is_image
from .greyscale import read_first_grey

SETS = ("train", "reproduce", "denoise")


def list_images(folder):
    """List the images below a folder, sorted: pairs of the path below the folder and the path."""
    folder = check_path(folder)
    if not folder.is_dir():
        what = "not a folder" if folder.exists() else "no such folder"
        raise InputError(f"{folder}: {what}; pass a folder of images")
    if all((folder / name).is_dir() for name in SETS):
        raise InputError(
            f"{folder}: contains the sets {', '.join(SETS)}; pass one of these folders"
        )
    paths = [path for path in files_below(folder) if is_image(path.name)]
    if not paths:
        raise InputError(f"{folder}: contains no images")
    return [(path.relative_to(folder).as_posix(), path) for path in paths]


def list_pictures(sources):
    """List image files, by their names, and the images below folders, as `list_images` does."""
    listed, paths, files = [], {}, set()
    for source in map(check_path, sources):
        if not source.exists():
            raise InputError(f"{source}: no such file or folder")
        if archive_stem(source) is not None and source.is_file():
            raise InputError(f"{source}: is an archive; import it by `ezdl images import` first")
        listed += list_images(source) if source.is_dir() else [(source.name, source)]
    for name, path in listed:
        file = os.path.abspath(path)
        if file in files:
            raise InputError(f"{path}: is given twice")
        files.add(file)
        other = paths.setdefault(name, path)
        if other is not path:
            raise InputError(f"{other} and {path}: have the same name; rename one, or omit it")
    return listed


def manifest_checksum(folder):
    """Checksum of the manifest of a collection, or of the one that a set belongs to, or None."""
    for candidate in (Path(folder), Path(os.path.abspath(folder)).parent):
        manifest = find_manifest(candidate)
        if manifest and manifest.incomplete:
            raise InputError(f"{candidate}: incomplete collection; run `ezdl images` again")
        if manifest:
            return hashlib.sha256((candidate / MANIFEST).read_bytes()).hexdigest()
    return None


def write_collection(folder, images, source, skip_bad=False, advance=lambda n: None):
    """Write images as grey PNG files into a folder, with a manifest.

    Parameters
    ----------
    folder : path
        A new or empty folder, or a collection, which is replaced.
    images : list of ImageSource
        They keep their names, with the ending .png.
    source : str
        Description of the collection for the manifest.
    skip_bad : bool
        Leave out images that cannot be used.
    advance : function of the number of images done

    Returns
    -------
    bad : list of (name, reason)
        Images that were left out.
    several : list of (name, str)
        Files with several pictures, such as "3 pages", of which the first was written.
    """
    entries, bad, several = [], [], []
    with new_collection_folder(folder) as temporary:
        with in_order(lambda job: _convert(temporary, *job), _jobs(images)) as results:
            for origin, result in results:
                advance(1)
                if isinstance(result, _Converted):
                    entries.append(result.entry)
                    several += [(origin, result.several)] if result.several else []
                else:
                    bad.append((origin, str(result)))
        require_usable(bad, [entry.source for entry in entries], skip_bad)
        entries.sort(key=lambda entry: os.fsencode(entry.file))
        save_manifest(temporary, Manifest(tuple(entries), source))
    return bad, several


def _jobs(images):
    """Yield each image with its new name and its content, or with the error if it has none."""
    origins = {}
    for image in images:
        target = str(PurePosixPath(image.name).with_suffix(".png"))
        other = origins.get(target.casefold())
        origins[target.casefold()] = image.origin
        try:
            if other is not None:
                raise InputError(f"would become {target}, as {other} does; import them separately")
            content = image.read()
        except InputError as error:
            content = error
        except Exception as error:  # a damaged archive can raise nearly anything
            content = InputError(f"cannot be read ({one_line(error) or type(error).__name__})")
        yield image, target, content


class _Converted(NamedTuple):
    """An image that was written, and the pictures in its file if there are several."""

    entry: ManifestEntry
    several: str | None


def _convert(folder, image, target, content):
    """Write one image; return its origin with what was written, or with the error."""
    try:
        if isinstance(content, InputError):
            raise content
        pixels, several = read_first_grey(content)
        png = io.BytesIO()
        Image.fromarray(pixels).save(png, "PNG")
        png = png.getvalue()
        (folder / target).parent.mkdir(parents=True, exist_ok=True)
        (folder / target).write_bytes(png)
        sync(folder / target)
    except InputError as error:
        return image.origin, error
    except (FileExistsError, NotADirectoryError, IsADirectoryError):
        return image.origin, f"would become {target}, which is also the name of a folder"
    entry = ManifestEntry(
        file=target,
        source=image.origin,
        **image.about,
        width=pixels.shape[1],
        height=pixels.shape[0],
        bytes=len(png),
        sha256=hashlib.sha256(png).hexdigest(),
        source_sha256=hashlib.sha256(content).hexdigest(),
    )
    return image.origin, _Converted(entry, several)


def require_usable(bad, good, skip_bad):
    """Refuse images that cannot be used, pairs of name and reason, unless they can be skipped."""
    if not bad or (skip_bad and good):
        return
    wrong = join_names([f"{name}: {reason}" for name, reason in bad], "; ")
    if not good:
        raise InputError(f"no usable image: {wrong}")
    raise InputError(
        f"{len(bad)} of {len(bad) + len(good)} images cannot be used: {wrong};"
        f" usable: {join_names(good)}. Fix or remove the bad ones, or pass --skip-bad."
    )
