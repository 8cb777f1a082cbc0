"""`ezdl bench check`: compare the newest run with earlier ones."""

import sys

import click

from .. import io
from ..bench.regression_rules import MIN_RUNS, runs_of_newest_machine
from ..bench.regressions import find_regressions, n_comparable
from ..exit_codes import REGRESSION, TOO_FEW_RUNS
from ..wording import count_of
from ._shared.bench_history import (
    exit_if_locked,
    history_option,
    load_runs,
    quiet_option,
)
from ._shared.console import echo_stderr
from ._shared.grouped_help import GroupedCommand


@click.command(
    "check",
    cls=GroupedCommand,
    epilog="Example: ezdl bench check --history bench.jsonl --quiet",
)
@history_option
@quiet_option
def check_command(path, quiet):
    """Compare the newest run with earlier ones on the same machine.

    Each regression is printed with its size, its first run, and the versions that changed then.

    Exit codes: 0 no regressions; 3 regressions; 4 too few earlier runs; 5 a run is in progress.
    """
    with exit_if_locked():
        io.check_unlocked(path)
    runs = load_runs(path)
    if not runs:
        echo_stderr(f"{path}: no runs yet; add one with `ezdl bench run`")
        sys.exit(TOO_FEW_RUNS)
    runs = runs_of_newest_machine(runs)
    regressions, judged = find_regressions(runs)
    for one in regressions:
        click.echo(f"{one.title}: {one.text}; {_since(runs, one.since)}")
    if regressions:
        sys.exit(REGRESSION)
    if not judged:
        count = f"{n_comparable(runs)} on this machine, {MIN_RUNS} needed"
        echo_stderr(f"{path}: too few earlier runs to compare with ({count})")
        sys.exit(TOO_FEW_RUNS)
    if not quiet:
        count = count_of(n_comparable(runs), "earlier run")
        click.echo(f"no regressions, compared with {count} on this machine")


def _since(runs, index):
    """Return the first run of a regression, and the versions that changed with it, as text."""
    first, count = runs[index], len(runs) - index
    text = f"since {first['time']}" + (f" ({count} runs)" if count > 1 else "")
    if index == 0:
        return text
    before, after = (
        run["versions"] | {"commit": run.get("commit")} for run in (runs[index - 1], first)
    )
    changes = [
        f"{name} {str(before.get(name) or 'none')[:12]} → {str(after[name] or 'none')[:12]}"
        for name in after
        if before.get(name) != after[name]
    ]
    return f"{text}, with {', '.join(changes)}" if changes else text
