"""A run of Snakemake in this process, with a view of it in place of its own output."""

import os
import signal
import sys
import threading
import time
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from ...exit_codes import FAILED, INTERRUPTED
from ..progress_lines import VARIABLE
from .captured_output import captured_output
from .failure_text import end_of_log, message_lines
from .plain_lines import PlainLines
from .run_state import RunState
from .stop_signals import EXIT_CODES, stop_signals
from .wording import count_of

LOGS = Path(".snakemake/log")  # where Snakemake has its own
DUMB_TERMINALS = ("", "dumb", "unknown")  # which cannot move the cursor


class RunOptions(NamedTuple):
    """What a run is about."""

    arguments: list
    """options of Snakemake"""
    folder: Path
    """of the results"""
    cores: int
    keep_going: bool
    is_complete: bool
    """whether it makes all results, so that there is a verdict at the end"""


def run_plainly(arguments):
    """Run Snakemake with its own output, and return the exit code."""
    with stop_signals() as look_at_signals:
        code = _call_snakemake(arguments)
        return _exit_code(code, look_at_signals())


def run_viewed(options):
    """Run Snakemake with a view, print what was found or why it failed, and return the exit code.

    All of Snakemake's output, and that of its steps, is stored in a file.
    """
    log = LOGS / f"{datetime.now():%Y-%m-%dT%H%M%S.%f}.ezdl-run.log"
    state = RunState(
        f"{options.folder}, {count_of(options.cores, 'core')}",
        options.cores,
        time.time(),
        options.keep_going,
    )
    os.environ[VARIABLE] = "1"  # steps write their progress to their logs
    with stop_signals() as look_at_signals, captured_output(log) as (_, stderr):
        code = _run(options.arguments, state, stderr, look_at_signals)
        state.signals = look_at_signals()
    code = _exit_code(code, state.signals)
    if code == 0:
        _print_success(state, options)
    else:
        _print_failure(state, log)
    return code


def _run(arguments, state, stderr, look_at_signals):
    """Call Snakemake while a view is shown; return its exit code."""
    from .snakemake_events import EventReceiver, register_plugin

    lock = threading.Lock()
    if stderr.isatty() and os.environ.get("TERM", "") not in DUMB_TERMINALS:
        from .live_view import LiveView

        view = LiveView(stderr, state, lock, look_at_signals)
    else:
        view = PlainLines(stderr)
    plugin = register_plugin(EventReceiver(state, lock, view, look_at_signals))
    view.start()
    code = FAILED
    try:
        code = _call_snakemake(["--logger", plugin, *arguments])
    finally:
        view.stop(succeeded=code == 0)
    return code


def _call_snakemake(arguments):
    from snakemake.cli import main

    try:
        main(arguments)
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else int(ended.code is not None)
    except KeyboardInterrupt:
        return INTERRUPTED
    return 0


def _exit_code(code, signals):
    """Return the exit code of a run: that of a signal if it has stopped the run."""
    return next(iter(map(EXIT_CODES.get, signals)), code) if code else 0


def _print_success(state, options):
    if state.n_steps:
        if options.is_complete:
            # Claims import SciPy, for which the view should not wait.
            from .closing_lines import print_closing_lines

            print_closing_lines(sys.stdout, options.folder)
        return
    report = options.folder / "report.html"
    has_report = options.is_complete and report.is_file()
    where = f" Report: {report}" if has_report else ""
    print(f"Nothing to do: all results are up to date.{where}")


def _print_failure(state, log):
    """Print why a run has not succeeded, on standard error."""
    done = f"{state.n_done} of {state.n_steps} steps"
    again = "run again to continue"
    if state.signals:
        word = "interrupted" if signal.SIGINT in state.signals else "terminated"
        _print_errors([f"ezdl: {word} after {done}; {again}" if state.n_steps else f"ezdl: {word}"])
        return
    lines = [line for message in state.errors for line in message_lines(message)]
    if not lines and not state.failed:
        lines = end_of_log(log)
    if state.n_steps:
        what = count_of(len(state.failed), "step") if state.failed else "the run"
        lines.append(f"ezdl: {what} failed, {done} are done; {again}")
    _print_errors([*lines, f"ezdl: complete output: {log}"])


def _print_errors(lines):
    for line in lines:
        print(line, file=sys.stderr)
