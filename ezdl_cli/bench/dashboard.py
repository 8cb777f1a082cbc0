"""The benchmark dashboard: a page with the newest run, trend lines, and the regressions."""

from ..pages.rendering import render
from .regression_rules import MIN_RUNS, judge_benchmarks
from .regressions import find_regressions
from .speed_targets import measured_targets
from .summary import benchmark_rows
from .trend import trend_of


def dashboard(runs):
    """Return the HTML page of the last of the runs of one machine."""
    newest = runs[-1]
    regressions, judged = find_regressions(runs)
    trends = {key: trend_of(series, runs) for key, series in judge_benchmarks(runs).items()}
    return render(
        "dashboard",
        runs=runs,
        newest=newest,
        regressions=regressions,
        judged=judged,
        min_runs=MIN_RUNS,
        targets=measured_targets(newest),
        benchmark_rows=benchmark_rows,
        trends=trends,
        worse={(one.group, one.name) for one in regressions},
        about=_about(newest, len(runs)),
    )


def _about(run, n_runs):
    """Return when, where and with which versions a run was measured."""
    return {
        "time": run["time"],
        "suite": run["suite"],
        "seconds": f"{run['seconds']:.0f}",
        "load before": f"{run['load']:.1f}",
        "commit": run.get("commit") or "unknown",
        "runs on this machine": n_runs,
        **run["machine"],
        **run["versions"],
    }
