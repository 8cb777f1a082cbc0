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
from ._shared.json_output import echo_json, json_option


@click.command(
    "check",
    cls=GroupedCommand,
    epilog="Example: ezdl bench check --history bench.jsonl --quiet",
)
@history_option
@quiet_option
@json_option
def check_command(path, quiet, as_json):
    """Compare the newest run with earlier ones on the same machine.

    Each regression is printed with its size, its first run, and the versions that changed then.

    Exit codes: 0 no regressions; 3 regressions; 4 too few earlier runs; 5 a run is in progress.
    """
    with exit_if_locked():
        io.check_unlocked(path)
    runs = runs_of_newest_machine(load_runs(path))
    regressions, judged = find_regressions(runs) if runs else ([], False)
    found = [_describe(one, runs) for one in regressions]
    n_runs = n_comparable(runs) if runs else 0
    if as_json:
        echo_json(_to_json(path, found, judged, n_runs))
    elif found:
        for one in found:
            click.echo(_text(one))
    elif judged and not quiet:
        count = count_of(n_runs, "earlier run")
        click.echo(f"no regressions, compared with {count} on this machine")
    if not found and not judged:
        _report_too_few(path, runs, n_runs)
    sys.exit(_exit_code(found, judged))


def _exit_code(regressions, judged):
    return REGRESSION if regressions else 0 if judged else TOO_FEW_RUNS


def _report_too_few(path, runs, n_runs):
    if not runs:
        echo_stderr(f"{path}: no runs yet; add one with `ezdl bench run`")
        return
    count = f"{n_runs} on this machine, {MIN_RUNS} needed"
    echo_stderr(f"{path}: too few earlier runs to compare with ({count})")


def _to_json(path, regressions, judged, n_runs):
    """Return the outcome as `io/schemas/bench_check.json` describes it."""
    outcomes = {0: "no regressions", REGRESSION: "regressions", TOO_FEW_RUNS: "too few runs"}
    return {
        "history": str(path),
        "outcome": outcomes[_exit_code(regressions, judged)],
        "n_earlier_runs": n_runs,
        "n_required": MIN_RUNS,
        "regressions": regressions,
    }


def _describe(regression, runs):
    """Return a regression with its first run, and the versions that changed with it."""
    first = runs[regression.since]
    changes = []
    if regression.since:
        before, after = (
            run["versions"] | {"commit": run.get("commit")}
            for run in (runs[regression.since - 1], first)
        )
        changes = [
            {"name": name, "before": before.get(name), "after": after[name]}
            for name in after
            if before.get(name) != after[name]
        ]
    return {
        "group": regression.group,
        "name": regression.name or None,
        "text": regression.text,
        "since": first["time"],
        "n_runs": len(runs) - regression.since,
        "changes": changes,
    }


def _text(found):
    """Return a regression as a line of text."""
    title = ": ".join(filter(None, (found["group"], found["name"])))
    text = f"{title}: {found['text']}; since {found['since']}"
    text += f" ({found['n_runs']} runs)" if found["n_runs"] > 1 else ""
    changes = [
        f"{one['name']} {str(one['before'] or 'none')[:12]} → {str(one['after'] or 'none')[:12]}"
        for one in found["changes"]
    ]
    return f"{text}, with {', '.join(changes)}" if changes else text
