"""Photographs that ship with scikit-image and Matplotlib, in three disjoint sets.

They replace the McGill collections: `train` replaces Foliage, `reproduce` Flowers, and `denoise`
Animals. Both views of the motorcycle are in the same set. Drawings, scans, blurred images and
images from microscopes and telescopes are left out.
"""

import importlib.util
from importlib.metadata import version
from pathlib import Path

from ..errors import InputError
from .finding import ImageSource

# Module and folder with the photographs of each package.
FOLDERS = {
    "scikit-image": ("skimage", "data"),
    "matplotlib": ("matplotlib", "mpl-data/sample_data"),
}

CC0 = "CC0 1.0"
PUBLIC_DOMAIN = "public domain"
NONE_KNOWN = "no known copyright restrictions"
NONE_STATED = "none stated; distributed with scikit-image"

# Set, package, file, author, licence: as stated in the documentation of the packages.
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
    """List the photographs as ImageSource, named set/file, with author and licence."""
    return [_image_source(*row) for row in PHOTOGRAPHS]


def _image_source(set_name, package, file, author, licence):
    module, below = FOLDERS[package]
    # The package itself is not imported.
    path = Path(importlib.util.find_spec(module).origin).parent / below / file
    if not path.is_file():
        raise InputError(f"{path}: missing; {package} {version(package)} does not contain it")
    origin = f"{package} {version(package)}, {file}"
    about = {"author": author, "licence": licence}
    return ImageSource(f"{set_name}/{file}", origin, path.read_bytes, about)
