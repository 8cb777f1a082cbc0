"""`ezdl images`: photographs as collections of 8-bit grey PNG files."""

from pathlib import Path

import click

from ..errors import InputError
from ..images import builtin, mcgill
from ..images.collection import write_collection
from ..images.grey import SUFFIXES
from ..images.sources import found
from ._shared.options import quiet, say_left_out, skip_bad
from ._shared.progress import progress, silent_decoders

outdir = click.argument("outdir", metavar="OUTDIR", type=click.Path())


@click.group(epilog="Example: ezdl images builtin photos")
def command():
    """Photographs as 8-bit grey PNG files, with a manifest.

    OUTDIR must be new or empty, or a former result, which is replaced.
    """


@command.command("builtin", epilog="Example: ezdl images builtin photos")
@outdir
@quiet
def builtin_command(outdir, quiet):
    """Photographs that need no download: OUTDIR/train, reproduce and denoise."""
    pictures, notes = builtin.photographs()
    _write(outdir, pictures, "built-in photographs", quiet, notes=notes)


@command.command("import", epilog="Example: ezdl images import holidays scans.zip photos")
@click.argument("sources", metavar="SRC...", nargs=-1, required=True, type=click.Path())
@outdir
@skip_bad
@quiet
def import_command(sources, outdir, skip_bad, quiet):
    """Pictures of folders, files and zip or tar archives, with their subfolders.

    TIFF, JPEG, PNG, WebP, BMP and PPM, of 8 or 16 bits.
    """
    with found(sources, leave_out=outdir) as pictures:
        if not pictures:
            raise InputError(f"{', '.join(sources)}: no pictures ({' '.join(SUFFIXES)})")
        _write(outdir, pictures, "import", quiet, skip_bad)


@command.command("mcgill", epilog="Example: ezdl images mcgill Downloads/McGill mcgill")
@click.argument("source", metavar="SRC", type=click.Path())
@outdir
@click.option("--partial", is_flag=True, help="Also if the numbers are not those of the paper.")
@skip_bad
@quiet
def mcgill_command(source, outdir, partial, skip_bad, quiet):
    """The collections of the paper: train=Foliage, reproduce=Flowers, denoise=Animals.

    SRC is a folder with folders or archives that have the names of the collections, or an archive
    with such folders.
    The database can be had at tabby.vision.mcgill.ca (research use).
    """
    if not Path(source).exists():
        raise InputError(f"{source}: no such file or folder; {mcgill.WHERE}")
    with found([source], leave_out=outdir) as pictures:
        chosen = mcgill.collections(pictures, source, partial)
        _write(outdir, chosen, "McGill calibrated colour image database", quiet, skip_bad)


def _write(outdir, pictures, source, quiet, skip_bad=False, notes=None):
    with silent_decoders(), progress(len(pictures), "Converting pictures", quiet) as advance:
        bad = write_collection(outdir, pictures, source, notes, skip_bad, advance)
    say_left_out(bad)
