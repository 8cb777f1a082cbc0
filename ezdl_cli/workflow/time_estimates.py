"""Estimates of the time of the pipeline's steps, from the times of earlier runs.

The time of a step is that of the same step, or of other steps of its rule, in the same or another
profile, multiplied by the ratio of the amounts of work.
"""

import math
import re
from dataclasses import dataclass
from pathlib import Path
from statistics import mean

from .. import io
from .step_work import find_photographs, step_work

# Steps of a run with less than this share of the training mostly start and compile.
MIN_SHARE_OF_TRAINING = 1 / 500
START_UP = 1.0  # seconds of a step that do not depend on the amount of work
# Rules whose steps use all of their threads. (Rules that measure times reserve all cores, but use
# one.)
PARALLEL = ("images", "patches", "whitened", "denoising_table", "restoration_table")


@dataclass(frozen=True)
class MeasuredRun:
    """Times of a run of the pipeline, by the names of their files."""

    profile: str
    cores: int
    work: dict
    """Amount of work by rule."""
    times: dict


def save_configuration(config, cores):
    """Store the configuration of a run and its number of cores in its results."""
    folder = Path("results", config["profile"])
    folder.mkdir(parents=True, exist_ok=True)
    io.save_run_configuration(folder, {"cores": cores, **config})


def load_runs(profile):
    """Return the measured runs in the folder results, that of the profile first."""
    runs = [_load_run(folder) for folder in sorted(Path("results").glob("*/")) if folder.is_dir()]
    return sorted((run for run in runs if run.times), key=lambda run: run.profile != profile)


def estimate_times(pending, steps, config, max_ratio=math.inf):
    """Return the time of each pending step in seconds, None if it is unknown.

    Parameters
    ----------
    pending, steps : list of Step
        The steps that will run, and all steps.
    config : dict
        Values of the profile.
    max_ratio : float
        Earlier runs are ignored if the work is more than this many times theirs.
    """
    profile = config.get("profile", "")
    try:
        work = step_work(config, find_photographs(config))
    except LookupError:  # the Snakefile is another one, with a configuration of its own
        work = {}
    runs = [run for run in load_runs(profile) if not _is_tiny(run, work)]
    return [estimate_time(step, steps, profile, work, runs, max_ratio) for step in pending]


def time_on_cores(steps, cores):
    """Return the time of several steps that share the cores.

    A step keeps as many cores busy as it has threads. Many cores cannot make it shorter than the
    longest step.

    Parameters
    ----------
    steps : list of (float, int)
        Time in seconds and number of threads of each step.
    cores : int
    """
    busy = sum(seconds * min(threads, cores) / cores for seconds, threads in steps)
    return max([busy, *(seconds for seconds, _ in steps)])


def estimate_time(step, steps, profile, work, runs, max_ratio=math.inf):
    """Return the time of a step in seconds, or None if no step of its rule has run yet.

    Parameters
    ----------
    step, steps
        The step, and all steps of the plan; they have `rule`, `name`, `threads` and
        `max_threads`, the number of threads if there are enough cores.
    profile : str
    work : dict
        Amount of work by rule, see `step_work`.
    runs : list of MeasuredRun
    max_ratio : float
        Runs are ignored if the work is more than this many times theirs.
    """
    ratios = [(_ratio(step.rule, work, run, profile), run) for run in runs]
    known = [(ratio, run) for ratio, run in ratios if ratio and ratio <= max_ratio]
    # The nearest amount of work first: of small ones, much of the time is compilation.
    for ratio, run in sorted(known, key=lambda pair: abs(math.log(pair[0]))):
        if ratio == 1 and run.profile == profile and step.name in run.times:
            return run.times[step.name].seconds
        seconds = _similar(step, steps, run.times)
        if seconds is not None:
            if step.rule in PARALLEL:
                ratio *= min(step.max_threads, run.cores) / step.threads
            start = min(START_UP, seconds)
            return start + (seconds - start) * ratio
    return None


def _is_tiny(run, work):
    """Return whether a run was too small to tell the times of one with an amount of work."""
    return run.work.get("train", math.inf) < MIN_SHARE_OF_TRAINING * work.get("train", 0.0)


def _load_run(folder):
    try:
        config = io.load_run_configuration(folder)
        work, cores = step_work(config, find_photographs(config)), int(config["cores"])
    except (LookupError, TypeError, ValueError, AttributeError):
        work, cores = {}, 1  # a run before configurations were stored, or a damaged file
    return MeasuredRun(folder.name, cores, work, io.load_step_times(folder))


def _ratio(rule, work, run, profile):
    """Return how much more work a step is than that of a run, or None if this is unknown."""
    if rule in work and run.work.get(rule):
        return work[rule] / run.work[rule]
    # Without their amount, steps of the same profile are taken to be the same work.
    return 1 if rule not in work or run.profile == profile else None


def _similar(step, steps, times):
    """Return the time of the most similar steps, or None if there are none."""
    kind = _without_seed(step.name)
    seeds = [time.seconds for name, time in times.items() if _without_seed(name) == kind]
    if seeds:  # the first step of a kind also compiles, so that the fastest is typical
        return min(seeds)
    siblings = {other.name for other in steps if other.rule == step.rule}
    found = [time.seconds for name, time in times.items() if name in siblings]
    return mean(found) if found else None


def _without_seed(name):
    return re.sub(r"_\d+(?=$|\.)", "", name)
