"""`ezdl bench check`: whether the newest run is worse than earlier ones."""

import sys

import click

from .. import io
from ..bench.regression_rules import MIN_RUNS, runs_of_newest_machine
from ..bench.regressions import find_regressions
from ._shared.bench_history import REGRESSION, TOO_FEW, history_option, load, told_if_locked
from ._shared.common_options import quiet_option
from ._shared.console import echo_stderr


@click.command("check", epilog="Example: ezdl bench check --history bench.jsonl --quiet")
@history_option
@quiet_option
def check_command(path, quiet):
    """Compare the newest run with the earlier ones of the same machine.

    Exit codes: 0 all is fine; 3 something has become worse, which is named, with by how much and
    since when; 4 there are too few earlier runs; 5 a run is under way.
    """
    with told_if_locked():
        io.check_unlocked(path)
    runs = load(path)
    if not runs:
        echo_stderr(f"{path}: there are no runs yet; ezdl bench run makes one")
        sys.exit(TOO_FEW)
    runs = runs_of_newest_machine(runs)
    found, judged = find_regressions(runs)
    for regression in found:
        click.echo(f"{regression.title}: {regression.text}; {_since(runs, regression.since)}")
    if found:
        sys.exit(REGRESSION)
    if not judged:
        if not quiet:
            few = f"there are {len(runs) - 1} earlier runs on this machine"
            click.echo(f"nothing has {MIN_RUNS} earlier runs to be compared with; {few}")
        sys.exit(TOO_FEW)
    if not quiet:
        click.echo(f"nothing is worse than in {len(runs) - 1} earlier runs on this machine")


def _since(runs, number):
    """Since when something is worse, and what had changed then."""
    first = runs[number]
    count = len(runs) - number
    text = f"since {first['time']}"
    text += f" ({count} runs)" if count > 1 else ""
    if number == 0:
        return text
    before = {**runs[number - 1]["versions"], "commit": runs[number - 1].get("commit")}
    after = {**first["versions"], "commit": first.get("commit")}
    changes = [
        f"{name} {_short(before.get(name))} → {_short(after.get(name))}"
        for name in after
        if before.get(name) != after.get(name)
    ]
    return f"{text}, with {', '.join(changes)}" if changes else text


def _short(version):
    """A version or a commit, as people write it."""
    return str(version)[:12] if version else "none"
