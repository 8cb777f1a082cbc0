"""`ezdl plan`: list the steps that the pipeline would run, and estimate their time."""

from pathlib import Path

import click

from ..durations import format_time
from ..workflow.job_graph import load_steps
from ._shared.grouped_help import new_command
from ._shared.json_output import echo_json, json_option
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
@json_option
def command(profile, images, cores, as_json):
    """List the steps that `ezdl run` would run, why, and how long they would take.

    Nothing is run. Times are estimated from the times of the same steps in earlier runs, of this
    profile or of others, and from the amount of work: epochs, samples, photographs and so on.
    """
    chosen = load_profile(profile, images, needs_images=False)
    steps = load_steps(chosen.project.snakefile, chosen.path, chosen.overrides, cores)
    plan = _plan(chosen.title, steps, chosen.values, cores)
    if as_json:
        echo_json(plan)
    else:
        _print(plan)


def _plan(title, steps, values, cores):
    """Return the plan as `io/schemas/plan.json` describes it."""
    from ..workflow.time_estimates import estimate_times, time_on_cores

    pending = [step for step in steps if step.reason]
    times = estimate_times(pending, steps, values) if pending else []
    timed = list(zip(pending, times, strict=True))
    known = [(time, step.threads) for step, time in timed if time is not None]
    folder = values.get("images", BUILTIN)
    is_missing = folder != BUILTIN and not Path(folder).is_dir()
    return {
        "profile": title,
        "cores": cores,
        "n_steps": len(steps),
        "n_up_to_date": len(steps) - len(pending),
        "rules": [_rule(rule, timed) for rule in dict.fromkeys(step.rule for step in pending)],
        "seconds": time_on_cores(known, cores) if known or not pending else None,
        "n_unknown": len(pending) - len(known),
        "missing_images": str(folder) if is_missing else None,
    }


def _rule(rule, timed):
    """Return the number of steps of a rule, their time, and why they run."""
    times = [time for step, time in timed if step.rule == rule]
    return {
        "rule": rule,
        "n_steps": len(times),
        "seconds": None if None in times else sum(times),
        "reasons": sorted({_explain(step.reason) for step, _ in timed if step.rule == rule}),
    }


def _explain(reason):
    return next((text for start, text in REASONS.items() if reason.startswith(start)), "to run")


def _print(plan):
    """Print a plan: a line for each rule, and the total time."""
    n_pending = plan["n_steps"] - plan["n_up_to_date"]
    counts = f"{plan['n_up_to_date']} up to date, {n_pending} to run"
    click.echo(f"{plan['profile']}: {plan['n_steps']} steps, {counts}.")
    if not n_pending:
        click.echo("Nothing to do.")
        return
    for rule in plan["rules"]:
        time = "time unknown" if rule["seconds"] is None else format_time(rule["seconds"])
        reasons = ", ".join(rule["reasons"])
        click.echo(f"  {rule['rule']:22} {rule['n_steps']:4}  {time:>14}  {reasons}")
    click.echo(_total(plan))
    if plan["missing_images"] is not None:
        folder = plan["missing_images"]
        click.echo(f"{folder}: no such folder yet. Times are for the photographs of the paper.")


def _total(plan):
    """Return a sentence on the total time."""
    if plan["seconds"] is None:
        return "Total time unknown: there are no times of a run of similar size here."
    total, n_unknown = format_time(plan["seconds"]), plan["n_unknown"]
    text = f"About {total} on {plan['cores']} cores, estimated from earlier runs."
    return text + (f" Not included: {n_unknown} steps of unknown time." if n_unknown else "")
