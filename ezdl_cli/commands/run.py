"""`ezdl run`: the whole pipeline, from wherever it was left."""

import json
import os
import subprocess
import sys
from pathlib import Path

import click

from .. import io
from ._shared.pipeline import configuration, pipeline_options
from ._shared.progress import tell

FAILED = 1
HOW = "config/profiles/local"
STATE = Path(".snakemake")
CHANGES = STATE / "ezdl-run.json"


@click.command(epilog="Example: ezdl run --profile quick --images photos")
@pipeline_options
@click.option("--keep-going", is_flag=True, help="If a step fails, finish all that can be.")
@click.argument("others", metavar="[-- OPTIONS]", nargs=-1)
def command(profile, images, cores, keep_going, others):
    """Make all figures, the claims and the report, in results/PROFILE.

    This is Snakemake with config/profiles/local. What is there already stays, and what was
    interrupted goes on, also after a kill or when the power was cut. OPTIONS are given to
    Snakemake as they are.
    """
    file, changes = configuration(profile, images)
    lock = _lock()
    files = [file, *_kept(changes)]
    arguments = ["--configfile", *map(str, files), "--workflow-profile", HOW, "--cores", str(cores)]
    snakemake = [sys.executable, "-m", "snakemake", *arguments]
    if any((STATE / "locks").glob("*")):
        # Left by a run that was killed: one of ours that is alive would have the lock.
        if _snakemake_runs_here():
            _refuse()
        # What is wrong with the configuration is said below.
        subprocess.run([*snakemake, "--unlock", "--quiet", "all"], check=False)
    os.environ.pop("EZDL_THREADS", None)  # each step gets its own number of threads
    os.set_inheritable(lock, True)  # held as long as Snakemake runs
    os.execv(snakemake[0], [*snakemake, *(["--keep-going"] if keep_going else []), *others])


def _kept(changes):
    """A file with changed values, if there are any: Snakemake's own option garbles many names."""
    if not changes:
        return []
    io.save_text(CHANGES, json.dumps(changes))
    return [CHANGES]


def _lock():
    """Lock this folder for one run; the system releases the lock when the run ends."""
    STATE.mkdir(exist_ok=True)
    try:
        return io.acquire(STATE / "ezdl-run.lock")
    except io.Locked:
        _refuse()


def _snakemake_runs_here():
    """Whether someone has started Snakemake itself in this folder; only Linux tells."""
    for process in Path("/proc").glob("[0-9]*"):
        try:
            words = process.joinpath("cmdline").read_bytes().split(b"\0")
            if b"snakemake" in map(os.path.basename, words) and (process / "cwd").samefile("."):
                return True
        except OSError:  # it has ended, or is someone else's
            continue
    return False


def _refuse():
    tell("another run is under way in this folder; wait for it, or end it first")
    sys.exit(FAILED)
