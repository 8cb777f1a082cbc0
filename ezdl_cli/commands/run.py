"""`ezdl run`: run the pipeline, or resume it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import click

from .. import io
from ..exit_codes import FAILED
from ..platforms import runs_here
from ._shared.console import echo_stderr
from ._shared.grouped_help import flag, new_command
from ._shared.profiles import load_profile, pipeline_options

STATE = Path(".snakemake")
OVERRIDES = STATE / "ezdl-run.json"


@new_command("ezdl run --profile quick --images photos")
@pipeline_options
@flag("--keep-going", "If a step fails, continue with the steps that do not depend on it.")
@flag("--snakemake-output", "Print Snakemake's own messages instead of the progress of the run.")
@click.argument("others", metavar="[-- OPTIONS]", nargs=-1)
def command(profile, images, cores, keep_going, snakemake_output, others):
    """Produce all figures, the claims and the report in results/PROFILE of this folder.

    A terminal shows the steps in progress and the time left; without a terminal, each finished step
    is a line on standard error. At the end, the verdict on the claims is printed.

    Files that are up to date are kept. A run that was interrupted, even by a kill or a power
    failure, is resumed. If there is a project in this folder (see ezdl init), its Snakefile and
    profiles are used. OPTIONS after -- are passed to Snakemake; if they ask for output, such as
    --dry-run, Snakemake's own messages are printed.
    """
    from ..workflow.run_view.snakemake_options import parse_options
    from ..workflow.run_view.viewed_run import RunOptions, run_plainly, run_viewed

    chosen = load_profile(profile, images)
    given = parse_options(others)
    _lock()
    configuration = [chosen.path, *_save_overrides(chosen.overrides)]
    arguments = ["--snakefile", str(chosen.project.snakefile)]
    arguments += ["--configfile", *map(str, configuration)]
    arguments += ["--workflow-profile", str(chosen.project.workflow_profile)]
    arguments += ["--cores", str(cores)]
    _unlock(arguments)
    os.environ.pop("EZDL_THREADS", None)  # each step has its own number of threads
    arguments += [*(["--keep-going"] if keep_going else []), *others]
    options = RunOptions(
        arguments,
        str(chosen.values.get("profile", "")),
        given.cores or cores,
        keep_going or given.keep_going,
        given.all_results,
    )
    # In this process, so that the lock is held until it ends.
    sys.exit((run_plainly if snakemake_output or given.prints else run_viewed)(options))


def _unlock(arguments):
    """Remove Snakemake's lock if it was left by a run that was killed."""
    if not any((STATE / "locks").glob("*")):
        return
    # We have the lock that a live `ezdl run` would hold.
    if runs_here("snakemake"):
        _exit_locked()
    snakemake = [sys.executable, "-m", "snakemake", *arguments, "--unlock", "--quiet", "all"]
    # Errors in the configuration are reported by the run itself.
    subprocess.run(snakemake, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def _save_overrides(overrides):
    """Save values in a file for Snakemake, whose option --config misreads many folder names."""
    if not overrides:
        return []
    io.save_text(OVERRIDES, json.dumps(overrides))
    return [OVERRIDES]


def _lock():
    """Return the lock of this folder, which the system releases when the process ends."""
    STATE.mkdir(exist_ok=True)
    try:
        return io.acquire(STATE / "ezdl-run.lock")
    except io.Locked:
        _exit_locked()


def _exit_locked():
    echo_stderr("another run is in progress in this folder; wait for it to finish, or stop it")
    sys.exit(FAILED)
