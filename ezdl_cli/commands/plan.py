"""`ezdl plan`: list the steps that the pipeline would run, and estimate their time."""

import io as streams
import statistics
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import NamedTuple

import click

from .. import io
from ..errors import InputError
from ._shared.grouped_help import new_command
from ._shared.profiles import SNAKEFILE, load_profile, pipeline_options

# Why a step runs, by the first words of Snakemake's reason.
REASONS = {
    "Missing output": "new",
    "Input files updated": "input will change",
    "Updated input": "input has changed",
    "Set of input": "inputs were added or removed",
    "Params have": "parameters have changed",
    "Code has": "command has changed",
    "Incomplete": "was interrupted",
}


class Step(NamedTuple):
    """A step (job) of the pipeline."""

    rule: str
    benchmark: Path
    threads: int
    reason: str
    """why it has to run; empty if it is up to date"""


@new_command("ezdl plan --profile quick")
@pipeline_options
def command(profile, images, cores):
    """List the steps that `ezdl run` would run, why, and how long they would take.

    Nothing is run. Times are estimated from earlier runs of the same step, or of other steps of the
    same rule.
    """
    path, overrides = load_profile(profile, images)
    steps = _load_steps(path, overrides, cores)
    pending = [step for step in steps if step.reason]
    n_done = len(steps) - len(pending)
    click.echo(f"{path}: {len(steps)} steps, {n_done} up to date, {len(pending)} to run.")
    if not pending:
        click.echo("Nothing to do.")
        return
    times = [_estimate(step, steps) for step in pending]
    _list_rules(pending, times)
    click.echo(_total(pending, times, cores))


def _load_steps(path, overrides, cores):
    """Return all steps of Snakemake's job graph, in the order of the rules."""
    from snakemake.api import SnakemakeApi
    from snakemake.settings.types import (
        ConfigSettings,
        DAGSettings,
        OutputSettings,
        Quietness,
        ResourceSettings,
    )

    try:
        with (
            redirect_stdout(streams.StringIO()),
            redirect_stderr(streams.StringIO()),
            SnakemakeApi(OutputSettings(dryrun=True, quiet={Quietness.ALL})) as api,
        ):
            workflow = api.workflow(
                resource_settings=ResourceSettings(cores=cores),
                config_settings=ConfigSettings(configfiles=[path], config=overrides),
                snakefile=SNAKEFILE,
            )
            # The API has no access to the graph itself; its summary builds it.
            workflow.dag(DAGSettings(force_incomplete=True)).summary()
            return _steps_of(workflow._workflow.dag)
    except Exception as error:  # any exception of the Snakefile or of Snakemake
        # Messages about an invalid configuration continue with the schema and all values.
        reason, *_ = str(error).split("\n\nFailed validating")
        raise InputError(f"{path}: {reason}") from None


def _steps_of(graph):
    """Return the steps of a job graph; rules without a benchmark only collect files."""
    order = [rule.name for rule in graph.workflow.rules]
    steps = [
        Step(
            job.rule.name,
            Path(job.benchmark),
            job.threads,
            str(graph.reason(job)) or "new" if graph.needrun(job) else "",
        )
        for job in graph.jobs
        if job.benchmark
    ]
    return sorted(steps, key=lambda step: (order.index(step.rule), step.benchmark))


def _estimate(step, steps):
    """Return the time of a step in seconds, or None if no step of its rule has run yet."""
    own = io.load_step_time(step.benchmark)
    if own is not None:
        return own.seconds
    siblings = [io.load_step_time(other.benchmark) for other in steps if other.rule == step.rule]
    seconds = [benchmark.seconds for benchmark in siblings if benchmark is not None]
    return statistics.mean(seconds) if seconds else None


def _list_rules(pending, times):
    """Print a line for each rule: number of steps, time, and reasons."""
    for rule in dict.fromkeys(step.rule for step in pending):
        chosen = [i for i, step in enumerate(pending) if step.rule == rule]
        known = [times[i] for i in chosen if times[i] is not None]
        reasons = sorted({_explain(pending[i].reason) for i in chosen})
        time = _format_time(sum(known)) if len(known) == len(chosen) else "time unknown"
        click.echo(f"  {rule:22} {len(chosen):4}  {time:>14}  {', '.join(reasons)}")


def _explain(reason):
    return next((text for start, text in REASONS.items() if reason.startswith(start)), "to run")


def _total(pending, times, cores):
    """Return a sentence on the total time; a step keeps as many cores busy as it has threads."""
    known = [
        time * min(step.threads, cores) / cores
        for step, time in zip(pending, times, strict=True)
        if time is not None
    ]
    n_unknown = len(pending) - len(known)
    if not known:
        return "Total time unknown: none of these rules has run here before."
    text = f"About {_format_time(sum(known))} on {cores} cores, estimated from earlier runs."
    return text + (f" Not included: {n_unknown} steps of unknown time." if n_unknown else "")


def _format_time(seconds):
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
