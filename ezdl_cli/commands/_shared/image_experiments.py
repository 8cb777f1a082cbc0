"""Code shared by the commands that evaluate a dictionary on images."""

from contextlib import contextmanager
from functools import partial
from pathlib import Path

from ... import io
from ...core.patch_shape import patch_side
from ...errors import InputError
from ...experiments.restoration_labels import setting_label
from ...images.collection import list_images, require_usable
from ...images.greyscale import read_grey
from ...parallel import in_order
from ...restoration.quality import to_uint8
from .console import echo_stderr, silence_decoders
from .grouped_help import option
from .option_errors import reject_option
from .parameter_types import Integer

SHOWN_SIDE = 192  # pixels of an image in pictures and examples


def crop_option(group=None):
    """Return the option for the part of images that is used."""
    return option(
        "--crop",
        Integer(1, 10**6),
        None,
        "Use only the central square of each image, with a side of N pixels.",
        group=group,
        metavar="N",
        show_default="whole images",
    )


def atom_side(source, dictionary):
    """Return the side of the atoms in pixels; raise InputError if they are not square patches."""
    if dictionary.matrices:
        raise InputError(f"{source}: was trained on whitened samples; choose one for raw patches")
    try:
        return patch_side(dictionary.W.shape[1])
    except ValueError as error:
        raise InputError(f"{source}: {error}") from None


def check_crop(crop, min_side):
    """Reject --crop if it is smaller than an image may be."""
    if crop is not None and crop < min_side:
        reject_option("--crop", f"must be at least {min_side}, not {crop}")


def central_crop(image, side):
    """Return the central square of an image, less where it is smaller; all of it for None."""
    if side is None:
        return image
    top, left = (max(0, (length - side) // 2) for length in image.shape[:2])
    return image[top : top + side, left : left + side]


def stem(name):
    """Return the name of an image without its suffix."""
    return name.rpartition(".")[0]


def usable_images(images, outputs, folder, min_side, skip_bad, stem, read=read_grey):
    """List the images that can be used, and those that cannot.

    Parameters
    ----------
    images : path of the folder of images
    outputs : list of path or None
        Files to be written, which must not be images.
    folder : path or None
        Where results are saved as images; it must not be inside `images`.
    min_side : int
        Minimum height and width of an image.
    skip_bad : bool
        Whether unusable images are allowed.
    stem : function
        Returns the name under which results are saved for the name of an image.
    read : function
        Reads an image file, or raises InputError.

    Returns
    -------
    usable, unusable : lists of (name, path) and of (name, reason)
    """
    listed = list_images(images)
    paths = [path for _, path in listed]
    for output in filter(None, outputs):
        io.check_not_among(output, paths)
    if folder is not None and folder.resolve().is_relative_to(Path(images).resolve()):
        raise InputError(f"{folder}: is inside the folder of images; choose another folder")
    problem = partial(_problem, min_side=min_side, read=read)
    with silence_decoders(), in_order(problem, paths) as found:
        problems = list(found)
    unusable = [(name, why) for (name, _), why in zip(listed, problems, strict=True) if why]
    usable = [image for image, why in zip(listed, problems, strict=True) if not why]
    names = [name for name, _ in usable]
    require_usable(unusable, names, skip_bad)
    if folder is not None:
        _check_saved_names(names, stem)
    return usable, unusable


def _problem(path, min_side, read):
    """Return what is wrong with an image, or None."""
    try:
        height, width = read(path).shape[:2]
    except InputError as error:
        return str(error)
    if min(height, width) < min_side:
        return f"{width} × {height} pixels; at least {min_side} × {min_side} are needed"
    return None


def _check_saved_names(names, stem):
    """Raise InputError if the results of two images would be saved under the same name."""
    first = {}
    for name in names:
        other = first.setdefault(stem(name), name)
        if other != name:
            raise InputError(
                f"{other} and {name}: results would be saved under the same name; rename one"
            )


@contextmanager
def collected_rows(target):
    """Collect the rows of a table, and save it at the end.

    If the block fails, the rows so far are saved as TABLE.partial.csv.

    Yields
    ------
    list, to which rows are appended: dicts from column to value, with the same columns
    """
    rows = []

    def table():
        return {name: [row[name] for row in rows] for name in rows[0]}

    try:
        yield rows
        io.save_table(target, table())
    except BaseException:
        if rows:
            partial = Path(target).with_suffix(".partial.csv")
            io.save_table(partial, table())
            echo_stderr(f"{partial}: contains the {len(rows)} rows measured so far")
        raise


def save_image(folder, name, pixels):
    """Save grey values or colours as PNG, unless `folder` is None."""
    if folder is None:
        return
    path = folder / f"{name}.png"
    path.parent.mkdir(parents=True, exist_ok=True)
    io.save_png(path, pixels)


def shown_crops(*images, side=SHOWN_SIDE):
    """Return the parts of images that are shown, squares with this side at most."""
    return tuple(to_uint8(central_crop(image, min(side, SHOWN_SIDE))) for image in images)


def save_examples(examples, titles, picture, target):
    """Save examples as a figure and pixel by pixel, unless the paths are None.

    Parameters
    ----------
    examples : list of RestorationExample
    titles : sequence of str
        What the crops of each example are.
    picture, target : path or None
    """
    if picture is not None:
        from ...figures.crops import draw_crops
        from ...figures.style import encode

        rows = [(setting_label(one.task, one.setting), one.crops, one.psnr) for one in examples]
        io.save_bytes(picture, encode(draw_crops(rows, titles), "png"))
    if target is not None:
        io.save_restoration_examples(target, examples)
