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
from ...wording import count_of
from ..progress_lines import VARIABLE
from .captured_output import captured_output
from .failure_text import end_of_log, message_lines
from .plain_lines import PlainLines
from .run_state import RunState
from .stop_signals import EXIT_CODES, stop_signals

LOGS = Path(".snakemake/log")  # where Snakemake has its own
DUMB_TERMINALS = ("", "dumb", "unknown")  # which cannot move the cursor


class RunOptions(NamedTuple):
    """What a run is about."""

    arguments: list
    """options of Snakemake"""
    profile: str
    """unless Snakemake's options change it"""
    cores: int
    keep_going: bool
    is_complete: bool
    """whether it makes all results, so that there is a verdict at the end"""


def run_plainly(options):
    """Run Snakemake with its own output, and return the exit code."""
    with stop_signals() as received_signals:
        code = _call_snakemake(options.arguments)
        return _exit_code(code, received_signals())


def run_viewed(options):
    """Run Snakemake with a view, print what was found or why it failed, and return the exit code.

    All of Snakemake's output, and that of its steps, is stored in a file.
    """
    log = LOGS / f"{datetime.now():%Y-%m-%dT%H%M%S.%f}.ezdl-run.log"
    state = RunState(options.profile, options.cores, time.time(), options.keep_going)
    os.environ[VARIABLE] = "1"  # steps write their progress to their logs
    with stop_signals() as received_signals, captured_output(log) as stderr:
        code = _run(options.arguments, state, stderr, received_signals)
        state.signals = received_signals()
    code = _exit_code(code, state.signals)
    if code == 0:
        _print_success(state, options.is_complete)
    else:
        _print_failure(state, log)
    return code


def _run(arguments, state, stderr, received_signals):
    """Call Snakemake while a view is shown; return its exit code."""
    from .snakemake_events import EventReceiver, register_plugin

    lock = threading.Lock()
    if stderr.isatty() and os.environ.get("TERM", "") not in DUMB_TERMINALS:
        from .live_view import LiveView

        view = LiveView(stderr, state, lock, received_signals)
    else:
        view = PlainLines(stderr)
    plugin = register_plugin(EventReceiver(state, lock, view, received_signals))
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


def _print_success(state, is_complete):
    """Print the verdict on standard output, or that there was nothing to do."""
    if sys.stdout is None:  # it was closed
        return
    if not state.n_steps:
        report = state.folder / "report.html"
        where = f" Report: {report}" if is_complete and report.is_file() else ""
        print(f"Nothing to do: all results are up to date.{where}")
    elif is_complete:
        # Claims import SciPy, for which the view should not wait.
        from .closing_lines import print_closing_lines

        print_closing_lines(sys.stdout, state.folder)


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
        lines.append(f"ezdl: {what} failed, {done} are done; fix the cause and {again}")
    _print_errors([*lines, f"ezdl: complete output: {log}"])


def _print_errors(lines):
    for line in lines:
        print(line, file=sys.stderr)
