"""`ezdl extract`: random patches of images."""

import hashlib
from pathlib import Path

import click

from .. import io
from ..errors import InputError
from ..images.collection import list_images, manifest_checksum, report_bad
from ..images.grey import read_grey
from ..parallel import in_order
from ..samples.patches import draw_patches, image_stream, varied_positions
from ._shared.options import quiet, say_left_out, seed, skip_bad
from ._shared.progress import progress, silent_decoders


@click.command(epilog="Example: ezdl extract photos/train patches.npy --patch-size 16")
@click.argument("images", metavar="IMAGES", type=click.Path())
@click.argument("target", metavar="PATCHES.npy", type=click.Path())
@click.option("--patch-size", type=click.IntRange(2, 10_000), default=8, show_default=True)
@click.option(
    "--per-image", type=click.IntRange(min=1), default=10_000, show_default=True, help="Patches."
)
@seed
@skip_bad
@quiet
def command(images, target, patch_size, per_image, seed, skip_bad, quiet):
    """Draw patches at random places of the pictures below the folder IMAGES.

    Patches without variance are not drawn. Each picture has random numbers of its own, given by
    the seed and its name. PATCHES.json says from where the patches are.
    """
    io.check_patches_target(target)
    pictures = list_images(images)
    for name in (Path(target), Path(target).with_suffix(".json")):
        io.check_not_among(name, [path for _, path in pictures])
    checksum = manifest_checksum(images)
    entries, bad = [], []
    with (
        io.new_patches(target, patch_size**2) as writer,
        silent_decoders(),
        progress(len(pictures), "Extracting patches", quiet) as advance,
        in_order(lambda picture: _prepare(*picture, patch_size), pictures) as prepared,
    ):
        for name, pixels, places, reason in prepared:
            advance(1)
            if reason is not None:
                bad.append((name, reason))
                continue
            if not entries:
                writer.reserve(len(pictures) * per_image)
            entries.append(_entry(name, pixels, per_image))
            if skip_bad or not bad:
                stream = image_stream(seed, name)
                for patches in draw_patches(pixels, places, patch_size, per_image, stream):
                    writer.append(patches)
        report_bad(bad, [entry["name"] for entry in entries], skip_bad)
        writer.about.update(
            patch_size=patch_size,
            per_image=per_image,
            seed=seed,
            source=str(images),
            manifest_sha256=checksum,
            images=entries,
            left_out=[name for name, _ in bad],
        )
    say_left_out(bad)


def _prepare(name, path, patch_size):
    """A picture and the places of its patches, or what is wrong with it."""
    try:
        pixels = read_grey(path)
        return name, pixels, varied_positions(pixels, patch_size), None
    except InputError as error:
        return name, None, None, str(error)


def _entry(name, pixels, count):
    height, width = pixels.shape
    checksum = hashlib.sha256(pixels.tobytes()).hexdigest()
    return {
        "name": name,
        "width": width,
        "height": height,
        "pixels_sha256": checksum,
        "patches": count,
    }
