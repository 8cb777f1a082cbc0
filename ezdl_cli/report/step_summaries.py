"""Times of the pipeline's steps, summarised by kind."""

import math
from typing import NamedTuple

TITLES = {
    "images": "Preparing photographs",
    "patches": "Extracting and whitening patches",
    "dictionaries": "Training dictionaries",
    "tables/reproduction": "Reproducing images (Figs. 10b to 12)",
    "tables/iterations": "Reproducing images by iterations (Fig. 10a)",
    "tables/history": "Reproducing images by epochs (Fig. 13)",
    "tables/full_gradient": "Reproducing images with the full gradient",
    "tables/denoising": "Denoising images (Fig. 14)",
    "tables/restoration": "Restoring images in other tasks (Figs. 15 to 17)",
    "tables/gabor": "Fitting Gabor functions (Figs. 6 and 7)",
    "tables/resemblance": "Comparing the first and the last epoch",
    "tables/evaluations": "Counting evaluations (Fig. 4)",
    "tables/speedups": "Timing projections (Fig. 5)",
    "tables/properties": "Checking the properties of projections",
    "tables/gradient": "Checking the gradient of projections",
    "tables/epochs": "Timing epochs of all learners",
    "tables/filtering": "Timing separable filters",
    "tables/sparseness": "Sparseness in two dimensions (Fig. 1)",
    "tables/auxiliary": "Evaluating the auxiliary function (Fig. 2)",
    "figures": "Drawing figures",
    "claims": "Judging claims",
    "report": "Writing the report",
}


class StepSummary(NamedTuple):
    """Time and memory of all runs of one kind of pipeline step."""

    name: str
    n_runs: int
    seconds: float
    longest: float
    cpu_seconds: float
    peak_mib: float | None

    @property
    def title(self):
        """What the steps do, or their name if it is not known."""
        return TITLES.get(self.name, self.name)


def step_summaries(step_times):
    """Return summaries of all kinds of steps, the longest first.

    Parameters
    ----------
    step_times : dict
        `StepTime` by path below `benchmarks`, see `io.load_step_times`.
    """
    steps = {}
    for path, measured in step_times.items():
        # tables/gabor/ezdl-0.99_0 is a run of the step tables/gabor; tables/epochs is its own step.
        parent = path.rpartition("/")[0]
        steps.setdefault(path if parent in ("", "tables") else parent, []).append(measured)
    summaries = [_summary(name, runs) for name, runs in steps.items()]
    return sorted(summaries, key=lambda step: -step.seconds)


def _summary(name, runs):
    seconds, cpu_seconds, peaks = (
        [value for run in runs if not math.isnan(value := getattr(run, field))]
        for field in ("seconds", "cpu_seconds", "peak_mib")
    )
    total = (sum(seconds), max(seconds), sum(cpu_seconds), max(peaks, default=None))
    return StepSummary(name, len(runs), *total)
