"""`ezdl extract`: random patches of images."""

import hashlib
from pathlib import Path

from .. import io
from ..errors import InputError
from ..images.collection import list_pictures, manifest_checksum, require_usable
from ..images.greyscale import read_first_grey
from ..parallel import in_order
from ..samples.patches import draw_patches, image_rng, varied_positions
from ._shared.common_options import quiet_option, seed_option, skip_bad_option
from ._shared.console import echo_several, echo_skipped, silence_decoders
from ._shared.grouped_help import new_command, option, path_argument
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
    entries, bad, several = [], [], []
    with (
        io.new_patches(target, patch_size**2) as writer,
        silence_decoders(),
        progress(len(listed), "Extracting patches", quiet) as advance,
        in_order(lambda image: _read(*image, patch_size), listed) as loaded,
    ):
        for name, pixels, positions, pictures, problem in loaded:
            advance(1)
            if problem:
                bad.append((name, problem))
                continue
            several += [(name, pictures)] if pictures else []
            if not entries:
                writer.reserve(len(listed) * per_image)
            entries.append(_entry(name, pixels, per_image))
            if skip_bad or not bad:
                rng = image_rng(seed, name)
                for patches in draw_patches(pixels, positions, patch_size, per_image, rng):
                    writer.append(patches)
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


def _read(name, path, patch_size):
    """Return an image's name, pixels, positions of varied patches, and problem.

    Between the last two, there is the number of its frames or pages if there are several.
    """
    try:
        pixels, pictures = read_first_grey(path)
        return name, pixels, varied_positions(pixels, patch_size), pictures, None
    except InputError as error:
        return name, None, None, None, str(error)


def _entry(name, pixels, n_patches):
    """Return the record of an image in PATCHES.json."""
    height, width = pixels.shape
    return {
        "name": name,
        "width": width,
        "height": height,
        "pixels_sha256": hashlib.sha256(pixels.tobytes()).hexdigest(),
        "patches": n_patches,
    }
