"""`ezdl plan`: what the pipeline would do, in words, before anything runs."""

import io as streams
import statistics
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path

import click

from .. import io
from ..errors import InputError
from ._shared.pipeline import SNAKEFILE, configuration, pipeline_options

# Why a step runs, by how Snakemake's reasons begin.
REASONS = {
    "Missing output": "new",
    "Input files updated": "follows from others",
    "Updated input": "has new input",
    "Set of input": "has other input",
    "Params have": "has other values",
    "Code has": "has another command",
    "Incomplete": "was interrupted",
}


@dataclass(frozen=True)
class Step:
    """A step of the pipeline."""

    rule: str
    benchmark: Path
    threads: int
    reason: str
    """Empty if it is up to date."""


@click.command(epilog="Example: ezdl plan --profile quick")
@pipeline_options
def command(profile, images, cores):
    """Say which steps are new, which are up to date, and how long they will take.

    Nothing is run. Times are those of earlier runs of the same steps, or of like steps of the same
    profile.
    """
    file, changes = configuration(profile, images)
    steps = _steps(file, changes, cores)
    pending = [step for step in steps if step.reason]
    ready = len(steps) - len(pending)
    click.echo(f"{file}: {len(steps)} steps, {ready} up to date, {len(pending)} to be run.")
    if not pending:
        click.echo("Nothing is to be done.")
        return
    times = [_estimate(step, steps) for step in pending]
    _list(pending, times)
    click.echo(_total(pending, times, cores))


def _steps(file, changes, cores):
    """All steps, by Snakemake's own graph, in the order of the Snakefile."""
    from snakemake.api import SnakemakeApi
    from snakemake.settings.types import (
        ConfigSettings,
        DAGSettings,
        OutputSettings,
        Quietness,
        ResourceSettings,
    )

    said = streams.StringIO()
    try:
        with (
            redirect_stdout(said),
            redirect_stderr(said),
            SnakemakeApi(OutputSettings(dryrun=True, quiet={Quietness.ALL})) as api,
        ):
            workflow = api.workflow(
                resource_settings=ResourceSettings(cores=cores),
                config_settings=ConfigSettings(configfiles=[file], config=changes),
                snakefile=SNAKEFILE,
            )
            # The summary makes the graph, which is what we are after.
            workflow.dag(DAGSettings(force_incomplete=True)).summary()
            graph = workflow._workflow.dag
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
    except Exception as error:  # whatever the configuration or the Snakefile raises
        # What is wrong with a configuration comes first, then all that is right.
        reason, *_ = str(error).split("\n\nFailed validating")
        raise InputError(f"{file}: {reason}") from None


def _estimate(step, steps):
    """Seconds that a step will take, or None if nothing like it has run."""
    own = io.load_benchmark(step.benchmark)
    if own is not None:
        return own.seconds
    alike = [io.load_benchmark(other.benchmark) for other in steps if other.rule == step.rule]
    seconds = [benchmark.seconds for benchmark in alike if benchmark is not None]
    return statistics.mean(seconds) if seconds else None


def _list(pending, times):
    """A line for each rule: how many steps, why, and how long."""
    for rule in dict.fromkeys(step.rule for step in pending):
        mine = [i for i, step in enumerate(pending) if step.rule == rule]
        known = [times[i] for i in mine if times[i] is not None]
        why = sorted({_why(pending[i].reason) for i in mine})
        time = _words(sum(known)) if len(known) == len(mine) else "time not known"
        click.echo(f"  {rule:22} {len(mine):4}  {time:>14}  {', '.join(why)}")


def _why(reason):
    return next((why for start, why in REASONS.items() if reason.startswith(start)), "to be run")


def _total(pending, times, cores):
    """How long all will take: what a step takes counts as often as it has threads."""
    known = [
        time * min(step.threads, cores) / cores
        for step, time in zip(pending, times, strict=True)
        if time is not None
    ]
    unknown = len(pending) - len(known)
    if not known:
        return "Nothing like it has run here: how long it will take is not known."
    text = f"About {_words(sum(known))} on {cores} cores, as earlier runs took."
    return text + (f" {unknown} steps are like none that ran before." if unknown else "")


def _words(seconds):
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
