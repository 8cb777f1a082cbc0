"""`ezdl bench run`: measure, and add a run to the history."""

import math
import sys
import time
from datetime import datetime

import click

from .. import io
from ..bench.benchmark_group import ERROR
from ..bench.history import add_run, history_line
from ..bench.regression_rules import runs_of_newest_machine
from ..bench.regressions import find_regressions
from ..bench.runner import BenchmarkRunner
from ..bench.summary import summary
from ..errors import InputError
from ..exit_codes import FAILED
from ..platforms import load_average
from ..provenance import commit, machine, peers, surroundings
from ._shared.bench_history import exit_if_locked, history_option, load_runs, quiet_option
from ._shared.console import echo_stderr
from ._shared.grouped_help import GroupedCommand, flag, option
from ._shared.parameter_types import Number
from ._shared.progress_bar import progress

"""Exit code."""
SUITES = ("smoke", "standard", "full")


@click.command(
    "run",
    cls=GroupedCommand,
    epilog="Example: ezdl bench run --suite smoke --history bench.jsonl",
)
@option(
    "--suite",
    click.Choice(SUITES),
    "standard",
    "Benchmarks to run: smoke takes 45 seconds, standard 5 to 6 minutes, full 12 to 15 minutes.",
)
@history_option
@option(
    "--timeout",
    Number(0.001, 1e9),
    None,
    "Stop after this time and save what was measured so far.",
    metavar="SECONDS",
)
@flag(
    "--new-baseline",
    "Do not compare this run and later ones with earlier ones, after an intended change.",
)
@quiet_option
def run_command(suite, path, timeout, new_baseline, quiet):
    """Measure speed and quality, print the results, and add them to the history.

    Each group of benchmarks runs in a process of its own, in which candidates take turns: this
    package, basic operations that bound what the machine can do (copying, sorting, matrix
    products), and other programs (scikit-learn; SPAMS and bm3d if they are installed). Groups in
    which something looks worse than before are measured again.

    Exit codes: 1 a group could not be measured; 5 another run is in progress.
    """
    deadline = math.inf if timeout is None else time.monotonic() + timeout
    io.check_target(path)
    with exit_if_locked(), io.lock(path):
        run = _measure(suite, load_runs(path), deadline, new_baseline, quiet)
        _save(path, run)
    if not quiet:
        click.echo(summary(run))
    failed = {name: group[ERROR] for name, group in run["groups"].items() if ERROR in group}
    for name, reason in failed.items():
        echo_stderr(f"{name}: could not be measured: {reason}")
    if failed:
        sys.exit(FAILED)


def _measure(suite, earlier, deadline, new_baseline, quiet):
    """Return a run as it is written to the history."""
    from ..bench import suites

    names = suites.SUITES[suite]
    start = time.monotonic()
    run = {
        "time": datetime.now().astimezone().isoformat(timespec="seconds"),
        "suite": suite,
        "machine": machine(),
        "versions": surroundings() | peers(),
        "commit": commit(),
        "baseline": new_baseline,
        "load": load_average(),
    }
    runner = BenchmarkRunner(deadline)
    with progress(len(names), "Measuring", quiet) as advance:
        run["groups"] = groups = runner.measure(names, advance)
        regressions, _ = find_regressions(runs_of_newest_machine([*earlier, run]))
        suspects = [(one.group, one.name) for one in regressions if one.in_newest_run]
        runner.repeat(groups, suspects, advance)
    if len(groups) < len(names):
        echo_stderr(f"timeout: measured {len(groups)} of {len(names)} groups")
        if not groups:
            sys.exit(FAILED)
    return run | {"seconds": round(time.monotonic() - start, 3)}


def _save(path, run):
    """Add a run to the history, or print it if that fails, so that it is not lost."""
    try:
        damaged = add_run(path, run)
    except (OSError, InputError):
        click.echo(history_line(run))
        echo_stderr("the run could not be saved; it is printed on standard output")
        raise
    if damaged is not None:
        echo_stderr(f"{path}: moved damaged lines to {damaged}")
