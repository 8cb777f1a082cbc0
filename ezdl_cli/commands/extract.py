"""`ezdl extract`: random patches of images."""

import hashlib
from pathlib import Path
from typing import NamedTuple

import numpy as np

from .. import io
from ..errors import InputError
from ..images.collection import list_pictures, manifest_checksum, require_usable
from ..images.greyscale import read_first_grey
from ..parallel import in_order
from ..samples.patches import draw_patches, image_rng, varied_positions
from ._shared.common_options import quiet_option, seed_option, skip_bad_option
from ._shared.console import echo_several, echo_skipped, silence_decoders
from ._shared.grouped_help import new_command, option, path_argument
from ._shared.option_errors import reject_option
from ._shared.parameter_types import Integer
from ._shared.progress_bar import progress


@new_command("ezdl extract photos/train patches.npy --patch-size 16")
@path_argument("sources", metavar="IMAGES...", nargs=-1, required=True)
@path_argument("target", metavar="PATCHES.npy")
@option("--patch-size", Integer(2, 10_000), 8, "Height and width of a patch, in pixels.")
@option("--per-image", Integer(min=1), 10_000, "Number of patches from each image.")
@seed_option
@skip_bad_option
@quiet_option
def command(sources, target, patch_size, per_image, seed, skip_bad, quiet):
    """Extract patches at random positions of images: files, and all images in folders.

    Constant patches are never extracted. The positions in an image depend only on the seed and the
    name of the image: the path below the folder, or the name of the file. Of several frames or
    pages, the first is used. PATCHES.json, next to PATCHES.npy, records the source of the patches.
    """
    io.check_target(target, ".npy")
    listed = list_pictures(sources)
    for output in (Path(target), Path(target).with_suffix(".json")):
        io.check_not_among(output, [path for _, path in listed])
    checksum = _manifest_of(sources)
    entries, bad, several, max_side = [], [], [], 0
    with (
        io.new_patches(target, patch_size**2) as writer,
        silence_decoders(),
        progress(len(listed), "Extracting patches", quiet) as advance,
        in_order(lambda image: _read(*image, patch_size), listed) as loaded,
    ):
        for image in loaded:
            advance(1)
            if image.problem:
                bad.append((image.name, image.problem))
                max_side = max(max_side, image.side)
                continue
            several += [(image.name, image.pictures)] if image.pictures else []
            if not entries:
                writer.reserve(len(listed) * per_image)
            entries.append(_entry(image, per_image))
            if skip_bad or not bad:
                for patches in _patches(image, patch_size, per_image, seed):
                    writer.append(patches)
        if not entries and 0 < max_side < patch_size:
            problem = f"must be at most {max_side} for these images, not {patch_size}"
            reject_option("--patch-size", problem)
        require_usable(bad, [entry["name"] for entry in entries], skip_bad)
        writer.metadata = io.SampleMetadata(
            patch_size=patch_size,
            per_image=per_image,
            seed=seed,
            source=", ".join(sources),
            manifest_sha256=checksum,
            images=entries,
            left_out=[name for name, _ in bad],
        )
    echo_skipped(bad)
    echo_several(several)


def _manifest_of(sources):
    """Return the checksum of the manifest of the collection that all images belong to, or None."""
    folders = {path if path.is_dir() else path.parent for path in map(Path, sources)}
    checksums = set(map(manifest_checksum, folders))
    return checksums.pop() if len(checksums) == 1 else None


class _Image(NamedTuple):
    """An image that was read, or the reason why it cannot be used."""

    name: str
    pixels: np.ndarray | None = None
    positions: np.ndarray | None = None
    pictures: str | None = None
    """Number of frames or pages if there are several."""
    problem: str | None = None

    @property
    def side(self):
        """Height or width, whichever is smaller; 0 if the image could not be read."""
        return 0 if self.pixels is None else min(self.pixels.shape)


def _read(name, path, patch_size):
    """Read an image, and find the positions of varied patches."""
    pixels = None
    try:
        pixels, pictures = read_first_grey(path)
        return _Image(name, pixels, varied_positions(pixels, patch_size), pictures)
    except InputError as error:
        return _Image(name, pixels, problem=str(error))


def _patches(image, patch_size, n_patches, seed):
    """Yield chunks of patches at random positions of an image."""
    rng = image_rng(seed, image.name)
    return draw_patches(image.pixels, image.positions, patch_size, n_patches, rng)


def _entry(image, n_patches):
    """Return the record of an image in PATCHES.json."""
    height, width = image.pixels.shape
    return {
        "name": image.name,
        "width": width,
        "height": height,
        "pixels_sha256": hashlib.sha256(image.pixels.tobytes()).hexdigest(),
        "patches": n_patches,
    }
