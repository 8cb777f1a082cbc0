"""`ezdl plan`: list the steps that the pipeline would run, and estimate their time."""

import io as streams
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import NamedTuple

import click

from ..errors import InputError
from ._shared.grouped_help import new_command
from ._shared.profiles import BUILTIN, SNAKEFILE, load_profile, pipeline_options

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
    name: str
    """path of its time below results/PROFILE/benchmarks, without suffix"""
    threads: int
    max_threads: int
    """number of threads if there are enough cores"""
    reason: str
    """why it has to run; empty if it is up to date"""


@new_command("ezdl plan --profile quick")
@pipeline_options
def command(profile, images, cores):
    """List the steps that `ezdl run` would run, why, and how long they would take.

    Nothing is run. Times are estimated from the times of the same steps in earlier runs, of this
    profile or of others, and from the amount of work: epochs, samples, photographs and so on.
    """
    path, overrides, values = load_profile(profile, images, needs_images=False)
    steps = _load_steps(path, overrides, cores)
    pending = [step for step in steps if step.reason]
    n_done = len(steps) - len(pending)
    click.echo(f"{path}: {len(steps)} steps, {n_done} up to date, {len(pending)} to run.")
    if not pending:
        click.echo("Nothing to do.")
        return
    times = _estimate_times(pending, steps, values)
    _list_rules(pending, times)
    click.echo(_total(pending, times, cores))
    folder = values.get("images", BUILTIN)
    if folder != BUILTIN and not Path(folder).is_dir():
        click.echo(f"{folder}: no such folder yet. Times are for the photographs of the paper.")


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
            "/".join(Path(job.benchmark).with_suffix("").parts[3:]),
            job.threads,
            int(job.rule.resources["_cores"].value),
            str(graph.reason(job)) or "new" if graph.needrun(job) else "",
        )
        for job in graph.jobs
        if job.benchmark
    ]
    return sorted(steps, key=lambda step: (order.index(step.rule), step.name))


def _estimate_times(pending, steps, values):
    """Return the time of each pending step in seconds, None if it is unknown."""
    from ..workflow.step_work import find_photographs, step_work
    from ..workflow.time_estimates import estimate_time, load_runs

    profile = values.get("profile", "")
    try:
        work = step_work(values, find_photographs(values))
    except LookupError:  # the Snakefile is another one, with a configuration of its own
        work = {}
    runs = load_runs(profile)
    return [estimate_time(step, steps, profile, work, runs) for step in pending]


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
    """Return a sentence on the total time; a step keeps as many cores busy as it has threads.

    Many cores cannot make it shorter than the longest step.
    """
    known = [
        (time, time * min(step.threads, cores) / cores)
        for step, time in zip(pending, times, strict=True)
        if time is not None
    ]
    n_unknown = len(pending) - len(known)
    if not known:
        return "Total time unknown: none of these rules has run here before."
    longest, total = max(time for time, _ in known), sum(share for _, share in known)
    text = (
        f"About {_format_time(max(longest, total))} on {cores} cores, estimated from earlier runs."
    )
    return text + (f" Not included: {n_unknown} steps of unknown time." if n_unknown else "")


def _format_time(seconds):
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
