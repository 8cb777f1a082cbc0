"""Translation of Snakemake's log records to changes of the state of a run."""

import logging
from pathlib import Path
from types import SimpleNamespace

from snakemake_interface_logger_plugins.base import LogHandlerBase
from snakemake_interface_logger_plugins.common import LogEvent
from snakemake_interface_logger_plugins.registry import LoggerPluginRegistry

from ...errors import one_line
from ..job_graph import step_name
from .failure_text import failure_lines, log_remarks
from .run_state import PlannedStep

PLUGIN = "ezdl"
# Rules that only collect files are no steps.
COLLECTING_RULES = ("all",)
# Follow the error of a step and say no more than that.
REPEATED_ERRORS = ("CalledProcessError", "At least one job did not complete", "Exiting because")
MAX_WARNING = 500  # characters


def register_plugin(receive):
    """Register a logger plugin that passes all log records to a function; return its name.

    Snakemake's own output stays as it is. Its plugins are usually packages with a certain name, but
    this one is of use to `ezdl run` only.
    """

    class LogHandler(LogHandlerBase):
        writes_to_stream = writes_to_file = needs_rulegraph = False
        has_filter = has_formatter = True

        def emit(self, record):
            try:
                receive(record)
            except Exception:  # as handlers do: a bug in the view must not stop the run
                self.handleError(record)

    module = SimpleNamespace(LogHandler=LogHandler)
    LoggerPluginRegistry().register_plugin(f"snakemake_logger_plugin_{PLUGIN}", module)
    return PLUGIN


class EventReceiver:
    """Change the state of a run by the log records of Snakemake, and tell the view about it.

    Parameters
    ----------
    state : RunState
    lock : threading.Lock
        Held while the state is changed.
    view : LiveView or PlainLines
    received_signals : function
        Returns the signals that have arrived.
    """

    def __init__(self, state, lock, view, received_signals):
        self.state, self.lock, self.view = state, lock, view
        self.received_signals = received_signals

    def __call__(self, record):
        """Process a log record."""
        match getattr(record, "event", None):
            case LogEvent.RUN_INFO:
                self._count(record.stats)
            case LogEvent.JOB_INFO:
                self._start(record)
            case LogEvent.JOB_FINISHED:
                self._finish(record)
            case LogEvent.JOB_ERROR:
                self._fail(record)
            case _ if hasattr(record, "ezdl_steps"):
                self._plan(record.ezdl_steps)
            case _ if record.levelno >= logging.ERROR:
                self._report_error(record)
            case _ if record.levelno >= logging.WARNING:
                self.view.write([f"Warning: {_shorten(record.getMessage())}"], "magenta")

    def _count(self, stats):
        collecting = sum(stats.get(rule, 0) for rule in COLLECTING_RULES)
        with self.lock:
            self.state.count(stats["total"] - collecting)

    def _plan(self, announced):
        pending = {
            step.name: PlannedStep(step.rule, step.threads, seconds)
            for step, seconds in announced.pending
        }
        with self.lock:
            self.state.plan(announced.profile, pending, announced.n_up_to_date)

    def _start(self, record):
        if record.rule_name in COLLECTING_RULES:
            return
        wildcards = ", ".join(map(str, record.wildcards.values()))
        title = record.rule_msg or " ".join(filter(None, (record.rule_name, wildcards)))
        log = Path(record.log[0]) if record.log else None
        name = step_name(record.benchmark) if record.benchmark else ""
        step = PlannedStep(record.rule_name, record.threads)
        with self.lock:
            self.state.start(record.jobid, name, one_line(title), step, log, record.created)

    def _finish(self, record):
        with self.lock:
            step = self.state.finish(record.job_id, record.created)
        if step is None:
            return
        self.view.finished(self.state, step)
        for remark in log_remarks(step.log) if step.log else ():
            self.view.write([f"Warning: {step.title}: {_shorten(remark)}"], "magenta")

    def _fail(self, record):
        with self.lock:
            step = self.state.fail(record.jobid, record.shellcmd or "", record.created)
        # Steps that a signal has stopped have not failed.
        if step is not None and not self.received_signals():
            self.view.write([*failure_lines(step), ""], "bold red")

    def _report_error(self, record):
        message = record.getMessage()
        if not any(text in message for text in REPEATED_ERRORS):
            with self.lock:
                self.state.errors.append(message)


def _shorten(message):
    text = one_line(message)
    return text if len(text) <= MAX_WARNING else f"{text[:MAX_WARNING]} ..."
