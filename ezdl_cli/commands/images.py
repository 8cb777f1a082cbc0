"""`ezdl images`: photographs as collections of 8-bit grey PNG files."""

from pathlib import Path

from ..errors import InputError
from ..images import builtin, mcgill
from ..images.collection import write_collection
from ..images.finding import find_images
from ..images.formats import SUFFIXES
from ._shared.common_options import quiet_option, skip_bad_option
from ._shared.console import echo_several, echo_skipped, silence_decoders
from ._shared.grouped_help import flag, new_group, path_argument
from ._shared.progress_bar import progress

outdir_argument = path_argument("outdir", metavar="OUTDIR")


@new_group("ezdl images builtin photos")
def command():
    """Prepare photographs: convert them to 8-bit grey PNG files with a manifest.

    OUTDIR must be new, empty, or the result of an earlier call, which is replaced.
    """


@command.command("builtin", epilog="Example: ezdl images builtin photos")
@outdir_argument
@quiet_option
def builtin_command(outdir, quiet):
    """Write the built-in photographs; nothing is downloaded.

    They become three disjoint sets in OUTDIR/train, OUTDIR/reproduce and OUTDIR/denoise.
    """
    _write(outdir, builtin.photographs(), "built-in photographs", quiet)


@command.command("import", epilog="Example: ezdl images import holidays scans.zip photos")
@path_argument("sources", metavar="SRC...", nargs=-1, required=True)
@outdir_argument
@skip_bad_option
@quiet_option
def import_command(sources, outdir, skip_bad, quiet):
    """Import images from files, folders, and zip or tar archives.

    Subfolders are searched as well. TIFF, JPEG, PNG, WebP, BMP and PPM files with 8 or 16 bits per
    channel can be read; of several frames or pages, the first is used.
    """
    with find_images(sources, exclude=outdir) as images:
        if not images:
            raise InputError(f"{', '.join(sources)}: no images found ({' '.join(SUFFIXES)})")
        _write(outdir, images, "import", quiet, skip_bad)


@command.command("mcgill", epilog="Example: ezdl images mcgill Downloads/McGill mcgill")
@path_argument("source", metavar="SRC")
@outdir_argument
@flag("--partial", "Accept collections with other numbers of images than in the paper.")
@skip_bad_option
@quiet_option
def mcgill_command(source, outdir, partial, skip_bad, quiet):
    """Import the collections of the McGill database used in the paper.

    Foliage becomes OUTDIR/train, Flowers OUTDIR/reproduce and Animals OUTDIR/denoise. SRC is an
    archive, or a folder, that contains a folder or an archive for each collection. The database is
    available at tabby.vision.mcgill.ca for research use.
    """
    if not Path(source).exists():
        raise InputError(f"{source}: no such file or folder; {mcgill.WHERE}")
    with find_images([source], exclude=outdir) as images:
        chosen = mcgill.select_collections(images, source, partial)
        _write(outdir, chosen, "McGill calibrated colour image database", quiet, skip_bad)


def _write(outdir, images, source, quiet, skip_bad=False):
    """Write a collection, with a progress bar, and report what was skipped or used in part."""
    with silence_decoders(), progress(len(images), "Converting images", quiet) as advance:
        bad, several = write_collection(outdir, images, source, skip_bad, advance)
    echo_skipped(bad)
    echo_several(several)
