"""The McGill calibrated colour image database (Olmos and Kingdom 2004), as the paper uses it."""

import re
from dataclasses import replace
from pathlib import Path

from ..errors import InputError

# Set, and the collection and the number of pictures that the paper has for it.
COLLECTIONS = {
    "train": ("Foliage", 314),
    "reproduce": ("Flowers", 98),
    "denoise": ("Animals", 81),
}
WHERE = (
    "the McGill calibrated colour image database can be had at tabby.vision.mcgill.ca"
    " (research use), one archive a collection"
)
_WORDS = {"train": r"foliage", "reproduce": r"flowers?", "denoise": r"animals?"}


def collections(pictures, source, partial=False):
    """The pictures of the three collections, named set/file.

    A picture belongs to the collection whose name is in its innermost folder or archive.

    Parameters
    ----------
    pictures : list of Picture
    source : path
        Where they were found; folders above it do not count.
    partial : bool
        Whether other numbers of pictures than the paper's are good as well.

    Raises
    ------
    InputError
        If a collection is missing, or has another number of pictures than in the paper.
    """
    chosen = [(_set_of(picture, source), picture) for picture in pictures]
    counts = {name: sum(name == found for found, _ in chosen) for name in COLLECTIONS}
    wrong = [
        f"{collection} has {counts[name]} of {expected} pictures"
        for name, (collection, expected) in COLLECTIONS.items()
        if counts[name] != expected and not (partial and counts[name])
    ]
    if wrong:
        missing = not all(counts.values())
        advice = WHERE if missing else "add what is missing, or go on as it is with --partial"
        raise InputError(f"{source}: {'; '.join(wrong)}; {advice}")
    return [
        replace(picture, name=f"{found}/{Path(picture.name).name}")
        for found, picture in chosen
        if found is not None
    ]


def _set_of(picture, source):
    """Name of the set to which a picture belongs, or None."""
    below = Path(picture.origin).relative_to(Path(source).parent)
    for part in reversed(below.parts[:-1]):
        for name, word in _WORDS.items():
            if re.search(rf"(?<![a-z]){word}(?![a-z])", part.lower()):
                return name
    return None
