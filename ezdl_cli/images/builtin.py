"""Real photographs that come with scikit-image and matplotlib, in three disjoint sets.

They stand for the collections of the McGill database: `train` for Foliage, `reproduce` for
Flowers, `denoise` for Animals. The two views of the motorcycle are in the same set. Left out are
drawings, pictures through microscopes and telescopes, scans, and blurred ones.
"""

import importlib.util
from importlib.metadata import version
from pathlib import Path

from ..errors import InputError
from .sources import Picture

FOLDERS = {
    "scikit-image": ("skimage", "data"),
    "matplotlib": ("matplotlib", "mpl-data/sample_data"),
}

CC0 = "CC0 1.0"
PUBLIC_DOMAIN = "public domain"
NONE_KNOWN = "no known copyright restrictions"
NONE_STATED = "none stated; distributed with scikit-image"

# Set, package, file, whose it is, licence: as the documentation of the packages has it.
PHOTOGRAPHS = (
    ("train", "scikit-image", "brick.png", "CC0Textures, Bricks25", CC0),
    ("train", "scikit-image", "grass.png", "linolafett, Grass 01", CC0),
    ("train", "scikit-image", "gravel.png", "CC0Textures, Gravel04", CC0),
    ("train", "scikit-image", "motorcycle_left.png", "Middlebury stereo 2014", NONE_STATED),
    ("train", "scikit-image", "motorcycle_right.png", "Middlebury stereo 2014", NONE_STATED),
    ("train", "scikit-image", "text.png", "Wikipedia, Corner.png", PUBLIC_DOMAIN),
    ("train", "matplotlib", "grace_hopper.jpg", "United States Navy", PUBLIC_DOMAIN),
    ("reproduce", "scikit-image", "astronaut.png", "NASA", PUBLIC_DOMAIN),
    ("reproduce", "scikit-image", "coins.png", "Brooklyn Museum", NONE_KNOWN),
    ("reproduce", "scikit-image", "rocket.jpg", "SpaceX", PUBLIC_DOMAIN),
    ("denoise", "scikit-image", "camera.png", "Lav Varshney", CC0),
    ("denoise", "scikit-image", "chelsea.png", "Stéfan van der Walt", CC0),
    ("denoise", "scikit-image", "coffee.png", "Rachel Michetti", CC0),
)


def photographs():
    """The pictures, named set/file, and what is known of each: lists of Picture and of dict.

    Raises
    ------
    InputError
        If the installed version of a package does not have one of them.
    """
    pictures, notes = [], []
    for set_name, package, file, author, licence in PHOTOGRAPHS:
        path = _folder(package) / file
        if not path.is_file():
            raise InputError(f"{path}: is not there; {package} {version(package)} does not have it")
        origin = f"{package} {version(package)}, {file}"
        pictures.append(Picture(f"{set_name}/{file}", origin, path.read_bytes))
        notes.append({"author": author, "licence": licence})
    return pictures, notes


def _folder(package):
    """Folder of a package's photographs; the package is not imported."""
    module, below = FOLDERS[package]
    return Path(importlib.util.find_spec(module).origin).parent / below
