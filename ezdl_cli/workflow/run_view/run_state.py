"""The state of a run: which steps are done, in progress, or left."""

from dataclasses import dataclass, field
from pathlib import Path

from ..progress_lines import StepProgress


@dataclass(frozen=True)
class PlannedStep:
    """A step that has to run."""

    rule: str
    threads: int
    expected: float | None = None
    """Time in seconds, estimated from earlier runs."""


@dataclass
class RunningStep:
    """A step in progress."""

    title: str
    plan: PlannedStep
    log: Path | None
    started: float
    progress: StepProgress | None = None


@dataclass(frozen=True)
class EndedStep:
    """A step that has finished or failed."""

    title: str
    plan: PlannedStep
    log: Path | None
    seconds: float
    command: str = ""
    """What failed."""


@dataclass
class RunState:
    """What is known about a run; times are in seconds since the epoch."""

    profile: str
    cores: int
    started: float
    keep_going: bool = False
    """Whether other steps continue after a failure."""
    n_steps: int = 0
    """Number of all steps, those that were up to date included."""
    n_up_to_date: int = 0
    is_planned: bool = False
    """Whether the steps are known."""
    pending: dict = field(default_factory=dict)
    """The steps that have not started, by name."""
    running: dict = field(default_factory=dict)
    """The steps in progress, by Snakemake's number."""
    finished: list = field(default_factory=list)
    failed: list = field(default_factory=list)
    errors: list = field(default_factory=list)
    """Messages that are not about a step."""
    signals: set = field(default_factory=set)
    """Signals that have asked the run to stop."""

    @property
    def n_done(self):
        """Number of steps that are up to date now."""
        return self.n_up_to_date + len(self.finished)

    @property
    def n_to_run(self):
        """Number of steps that were not up to date at the start."""
        return self.n_steps - self.n_up_to_date

    @property
    def folder(self):
        """The folder of the results."""
        return Path("results", self.profile)

    def plan(self, profile, pending, n_up_to_date):
        """Store the profile, the steps to run, by name, and the number of all others."""
        self.is_planned, self.profile = True, profile
        self.pending = dict(pending)
        self.n_steps, self.n_up_to_date = n_up_to_date + len(pending), n_up_to_date

    def count(self, n_steps):
        """Store the number of steps to run, unless they are planned."""
        if not self.is_planned:
            self.n_steps = n_steps

    def start(self, job, name, title, step, log, now):
        """Move a step from those that are pending, if it was planned, to those in progress.

        Parameters
        ----------
        job : int
            Snakemake's number of the step.
        name : str
            Name in the plan.
        title : str
        step : PlannedStep
            What Snakemake says about it.
        log : Path or None
        now : float
        """
        planned = self.pending.pop(name, step)
        step = PlannedStep(step.rule, step.threads, planned.expected)
        self.running[job] = RunningStep(title, step, log, now)

    def finish(self, job, now):
        """Move a step to those that are finished, and return it; None if it is no step."""
        ended = self._end(job, now)
        if ended is not None:
            self.finished.append(ended)
        return ended

    def fail(self, job, command, now):
        """Move a step to those that have failed, and return it; None if it is no step."""
        ended = self._end(job, now, command)
        if ended is not None:
            self.failed.append(ended)
        return ended

    def _end(self, job, now, command=""):
        step = self.running.pop(job, None)
        if step is None:
            return None
        seconds = max(0.0, now - step.started)
        return EndedStep(step.title, step.plan, step.log, seconds, command)
