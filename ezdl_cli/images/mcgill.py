"""The McGill calibrated colour image database (Olmos and Kingdom 2004), as the paper uses it."""

import re
from dataclasses import replace
from pathlib import Path

from ..errors import InputError

# Set: collection, number of images in the paper, pattern of the name of a folder or an archive.
COLLECTIONS = {
    "train": ("Foliage", 314, r"foliage"),
    "reproduce": ("Flowers", 98, r"flowers?"),
    "denoise": ("Animals", 81, r"animals?"),
}
WHERE = (
    "the McGill calibrated colour image database is available at tabby.vision.mcgill.ca"
    " (research use), one archive per collection"
)


def select_collections(images, source, partial=False):
    """Select the images of the three collections and name them set/file.

    An image belongs to the collection that its innermost folder or archive below `source` is named
    after. Numbers of images other than in the paper are refused unless `partial` is set.
    """
    sets = [_set_of(image, source) for image in images]
    wrong = [
        f"{collection} has {sets.count(name)} of {expected} images"
        for name, (collection, expected, _) in COLLECTIONS.items()
        if sets.count(name) != expected and not (partial and name in sets)
    ]
    if wrong:
        incomplete = set(COLLECTIONS) <= set(sets)
        advice = "add the missing images or pass --partial" if incomplete else WHERE
        raise InputError(f"{source}: {'; '.join(wrong)}; {advice}")
    return [
        replace(image, name=f"{name}/{Path(image.name).name}")
        for name, image in zip(sets, images, strict=True)
        if name is not None
    ]


def _set_of(image, source):
    """The set that an image belongs to, or None."""
    below = Path(image.origin).relative_to(Path(source).parent)
    for part in reversed(below.parts[:-1]):
        for name, (_, _, pattern) in COLLECTIONS.items():
            if re.search(rf"(?<![a-z]){pattern}(?![a-z])", part.lower()):
                return name
    return None
