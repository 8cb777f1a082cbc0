"""`ezdl bench run`: measure, and add a line to the history."""

import math
import os
import sys
import time
from datetime import datetime

import click

from .. import io
from ..bench.benchmark_group import ERROR
from ..bench.history import add_run, check_history_target, history_line
from ..bench.regression_rules import runs_of_newest_machine
from ..bench.regressions import find_regressions
from ..bench.runner import BenchmarkRunner
from ..bench.summary import summary
from ..errors import InputError
from ..provenance import commit, machine, peers, surroundings
from ._shared.bench_history import history_option, load, told_if_locked
from ._shared.common_options import quiet_option
from ._shared.console import echo_stderr, progress

ENDED_BADLY = 1
SUITES = ("smoke", "standard", "full")


@click.command("run", epilog="Example: ezdl bench run --suite smoke --history bench.jsonl")
@click.option(
    "--suite",
    type=click.Choice(SUITES),
    default="standard",
    show_default=True,
    help="How much: 40 seconds, two to three minutes, six to seven.",
)
@history_option
@click.option(
    "--timeout",
    type=click.FloatRange(0.001, 10**9),
    metavar="SECONDS",
    help="End then, with what there is.",
)
@click.option(
    "--new-baseline",
    is_flag=True,
    help="After a change that is meant to be: earlier runs do not say any more what is usual.",
)
@quiet_option
def run_command(suite, path, timeout, new_baseline, quiet):
    """Measure speed and quality, print them, and add them to the history.

    Each group of benchmarks runs in a process of its own, in which contenders take turns: this
    package, what the machine can do at best (copying, sorting, products of matrices), and other
    programs where they are installed (SPAMS, scikit-learn, bm3d). What looks worse than usual is
    measured again. Exit codes: 1 if something could not be measured, 5 if another run is under way.
    """
    if timeout is not None and math.isnan(timeout):
        raise click.BadParameter("nan is no time", param_hint="--timeout")
    deadline = math.inf if timeout is None else time.monotonic() + timeout
    check_history_target(path)
    with told_if_locked(), io.lock(path):
        run = _measure(suite, load(path), deadline, new_baseline, quiet)
        _keep(path, run)
    if not quiet:
        click.echo(summary(run))
    failed = {name: group[ERROR] for name, group in run["groups"].items() if ERROR in group}
    for name, reason in failed.items():
        echo_stderr(f"{name}: could not be measured: {reason}")
    if failed:
        sys.exit(ENDED_BADLY)


def _measure(suite, earlier, deadline, new_baseline, quiet):
    """A run, as it stands in the history."""
    from ..bench import suites

    names = suites.SUITES[suite]
    start, load_before = time.monotonic(), os.getloadavg()[0]
    about = {
        "time": datetime.now().astimezone().isoformat(timespec="seconds"),
        "suite": suite,
        "machine": machine(),
        "versions": surroundings() | peers(),
        "commit": commit(),
        "baseline": new_baseline,
    }

    measuring = BenchmarkRunner(deadline)
    with progress(len(names), "Measuring", quiet) as advance:
        groups = measuring.measure(names, advance)
        worse, _ = find_regressions(runs_of_newest_machine([*earlier, {**about, "groups": groups}]))
        suspects = [(one.group, one.name) for one in worse if one.in_newest_run]
        measuring.repeat(groups, suspects, advance)
    if len(groups) < len(names):
        done = f"{len(groups)} of {len(names)} groups are measured"
        echo_stderr(f"the time was up: {done}")
        if not groups:
            sys.exit(ENDED_BADLY)
    seconds = round(time.monotonic() - start, 3)
    return {**about, "load": load_before, "seconds": seconds, "groups": groups}


def _keep(path, run):
    """Add a run to the history; if that fails, it is printed, so that it is not lost."""
    try:
        aside = add_run(path, run)
    except (OSError, InputError):
        click.echo(history_line(run))
        echo_stderr("the run could not be kept; its line is on standard output")
        raise
    if aside is not None:
        echo_stderr(f"{path}: what is damaged is set aside in {aside}")
