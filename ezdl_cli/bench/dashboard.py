"""The benchmark dashboard: a page with the newest run, trend lines, and the regressions."""

from ..pages.rendering import render
from .formatting import MAX_RATIO, quality_heading
from .regression_rules import MIN_RUNS, judge_benchmarks
from .regressions import find_regressions, n_comparable
from .speed_targets import measured_targets
from .summary import quality_rows, time_rows
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
        n_comparable=n_comparable(runs),
        targets=measured_targets(newest),
        max_ratio=f"{MAX_RATIO:g}",
        time_rows=time_rows,
        quality_tables=quality_tables,
        trends=trends,
        worse={(one.group, one.name) for one in regressions},
        about=_about(newest, len(runs)),
    )


def quality_tables(group):
    """Return the qualities of a group as one table per unit: pairs of a heading and rows."""
    rows = quality_rows(group)
    units = dict.fromkeys(row.unit for row in rows)
    return [(quality_heading(unit), [row for row in rows if row.unit == unit]) for unit in units]


def _about(run, n_runs):
    """Return when, where and with which versions a run was measured."""
    return {
        "time": run["time"],
        "suite": run["suite"],
        "seconds": f"{run['seconds']:.0f}",
        "load before": "unknown" if run["load"] is None else f"{run['load']:.1f}",
        "commit": run.get("commit") or "unknown",
        "runs on this machine": n_runs,
        **run["machine"],
        **run["versions"],
    }
