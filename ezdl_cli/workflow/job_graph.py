"""The steps of the pipeline, as Snakemake plans them."""

import io as streams
import os
import traceback
from contextlib import redirect_stderr, redirect_stdout, suppress
from pathlib import Path
from typing import NamedTuple

from ..errors import InputError
from .time_estimates import estimate_times

# Runs with a hundredth of the work mostly start and compile: the pace of the new run tells more.
MAX_RATIO = 100.0
STATE = Path(".snakemake")


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


class AnnouncedSteps(NamedTuple):
    """The steps of a run that begins."""

    profile: str
    n_up_to_date: int
    pending: list
    """the steps to run, with their times in seconds or None"""


def load_steps(snakefile, path, overrides, cores):
    """Return all steps of Snakemake's job graph, in the order of the rules.

    Parameters
    ----------
    snakefile : Path
    path : Path
        Profile.
    overrides : dict
        Values given on the command line.
    cores : int

    Raises
    ------
    InputError
        If Snakemake cannot plan them.
    """
    from snakemake.api import SnakemakeApi
    from snakemake.settings.types import (
        ConfigSettings,
        DAGSettings,
        OutputSettings,
        Quietness,
        ResourceSettings,
    )

    workflow = None
    try:
        with (
            redirect_stdout(streams.StringIO()),
            redirect_stderr(streams.StringIO()),
            SnakemakeApi(OutputSettings(dryrun=True, quiet={Quietness.ALL})) as api,
        ):
            workflow = api.workflow(
                resource_settings=ResourceSettings(cores=cores),
                config_settings=ConfigSettings(configfiles=[path], config=overrides),
                snakefile=snakefile,
            )
            # The API has no access to the graph itself; its summary builds it.
            workflow.dag(DAGSettings(force_incomplete=True)).summary()
            return steps_of(workflow._workflow.dag)
    except OSError:
        raise
    except Exception as error:  # any exception of the Snakefile or of Snakemake
        store = getattr(workflow, "_workflow_store", None)
        raise InputError(_explain(error, path, snakefile, getattr(store, "linemaps", {}))) from None
    finally:
        _remove_empty_folders(STATE)


def _explain(error, path, snakefile, line_maps):
    """Return which file is wrong, and why.

    `line_maps` has the lines of a Snakefile by those of the Python code that it is translated to.
    """
    # Messages about an invalid configuration continue with the schema and all values.
    reason, *rest = str(error).split("\n\nFailed validating")
    if rest:
        return f"{path}: {reason}"
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        if frame.filename in line_maps:
            line = line_maps[frame.filename].get(frame.lineno, frame.lineno)
            return f"{frame.filename}, line {line}: {type(error).__name__}: {reason}"
    return f"{snakefile}: {reason}"


def _remove_empty_folders(folder):
    """Remove what Snakemake creates even if it only plans."""
    for parent, _, _ in os.walk(folder, topdown=False):
        with suppress(OSError):  # it is not empty
            os.rmdir(parent)


def steps_of(graph):
    """Return the steps of a job graph; rules without a benchmark only collect files."""
    order = [rule.name for rule in graph.workflow.rules]
    steps = [
        Step(
            job.rule.name,
            step_name(job.benchmark),
            job.threads,
            int(job.rule.resources["_cores"].value),
            str(graph.reason(job)) or "new" if graph.needrun(job) else "",
        )
        for job in graph.jobs
        if job.benchmark
    ]
    return sorted(steps, key=lambda step: (order.index(step.rule), step.name))


def step_name(benchmark):
    """Return the name of a step, from the path of its time."""
    return "/".join(Path(benchmark).with_suffix("").parts[3:])


def announce_steps(graph, config):
    """Log all steps of a run with their estimated times, for the view of `ezdl run`.

    Call it before the configuration of earlier results is replaced, on which estimates depend.
    """
    from snakemake.logging import logger

    steps = steps_of(graph)
    pending = [step for step in steps if step.reason]
    times = estimate_times(pending, steps, config, MAX_RATIO)
    n_done = len(steps) - len(pending)
    announced = AnnouncedSteps(config["profile"], n_done, list(zip(pending, times, strict=True)))
    details = {"ezdl_steps": announced}
    logger.info(f"{n_done} of {len(steps)} steps are up to date.", extra=details)
