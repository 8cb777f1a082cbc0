"""`ezdl plan`: list the steps that the pipeline would run, and estimate their time."""

from pathlib import Path

import click

from ..durations import format_time
from ..workflow.job_graph import load_steps
from ._shared.grouped_help import new_command
from ._shared.profiles import BUILTIN, load_profile, pipeline_options

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


@new_command("ezdl plan --profile quick")
@pipeline_options
def command(profile, images, cores):
    """List the steps that `ezdl run` would run, why, and how long they would take.

    Nothing is run. Times are estimated from the times of the same steps in earlier runs, of this
    profile or of others, and from the amount of work: epochs, samples, photographs and so on.
    """
    from ..workflow.time_estimates import estimate_times

    chosen = load_profile(profile, images, needs_images=False)
    steps = load_steps(chosen.project.snakefile, chosen.path, chosen.overrides, cores)
    pending = [step for step in steps if step.reason]
    n_done = len(steps) - len(pending)
    click.echo(f"{chosen.title}: {len(steps)} steps, {n_done} up to date, {len(pending)} to run.")
    if not pending:
        click.echo("Nothing to do.")
        return
    times = estimate_times(pending, steps, chosen.values)
    _list_rules(pending, times)
    click.echo(_total(pending, times, cores))
    folder = chosen.values.get("images", BUILTIN)
    if folder != BUILTIN and not Path(folder).is_dir():
        click.echo(f"{folder}: no such folder yet. Times are for the photographs of the paper.")


def _list_rules(pending, times):
    """Print a line for each rule: number of steps, time, and reasons."""
    for rule in dict.fromkeys(step.rule for step in pending):
        chosen = [i for i, step in enumerate(pending) if step.rule == rule]
        known = [times[i] for i in chosen if times[i] is not None]
        reasons = sorted({_explain(pending[i].reason) for i in chosen})
        time = format_time(sum(known)) if len(known) == len(chosen) else "time unknown"
        click.echo(f"  {rule:22} {len(chosen):4}  {time:>14}  {', '.join(reasons)}")


def _explain(reason):
    return next((text for start, text in REASONS.items() if reason.startswith(start)), "to run")


def _total(pending, times, cores):
    """Return a sentence on the total time."""
    from ..workflow.time_estimates import time_on_cores

    known = [
        (time, step.threads) for step, time in zip(pending, times, strict=True) if time is not None
    ]
    n_unknown = len(pending) - len(known)
    if not known:
        return "Total time unknown: none of these rules has run here before."
    total = format_time(time_on_cores(known, cores))
    text = f"About {total} on {cores} cores, estimated from earlier runs."
    return text + (f" Not included: {n_unknown} steps of unknown time." if n_unknown else "")
