"""The rows of the tables of results, and a run as text, which `ezdl bench run` prints."""

from dataclasses import dataclass

from .benchmark_group import ERROR
from .formatting import format_comparison, format_quality, format_seconds
from .interleaved_timing import LIMIT, OURS, PEER
from .regression_rules import ratios_to
from .speed_targets import measured_targets


@dataclass(frozen=True)
class TimeRow:
    """A time as text, compared with the first limit and with the peers."""

    name: str
    time: str
    limit: str
    """A ratio, or the time of the limit; empty if there is none."""
    peers: tuple[str, ...]


@dataclass(frozen=True)
class QualityRow:
    """A quality as text, without its unit."""

    name: str
    value: str
    unit: str


def time_rows(group):
    """Return the times of our candidates in a group of a run."""
    times = group["times"]
    return [
        TimeRow(
            name,
            f"{format_seconds(one['median'])} ± {one['spread']:.0%}",
            next(iter(_comparisons(times, name, LIMIT)), ""),
            _comparisons(times, name, PEER),
        )
        for name, one in times.items()
        if one["kind"] == OURS
    ]


def _comparisons(times, name, kind):
    """Compare a time with those of all candidates of a kind."""
    ratios = ratios_to(times, name, kind)
    return tuple(
        format_comparison(ratio, other, times[other]["median"]) for other, ratio in ratios.items()
    )


def quality_rows(group):
    """Return the qualities of a group of a run, those of peers included."""
    return [
        QualityRow(name, format_quality(one["value"]), one["unit"])
        for name, one in group["qualities"].items()
    ]


def summary(run):
    """Return a run as text."""
    lines = [line for title, group in run["groups"].items() for line in _group(title, group)]
    lines += ["", "Ratios of times, and their targets"]
    for target, ratio in measured_targets(run):
        missed = "" if ratio <= target.maximum else "  exceeded"
        lines.append(f"  {target.title:28} {ratio:8.3f}  {target.maximum:6.3f}{missed}")
    return "\n".join(lines)


def _group(title, group):
    """The lines of a group."""
    if ERROR in group:
        return [f"{title}: could not be measured"]
    lines = [f"{title}: time per {group['things']}" if group["times"] else title]
    for row in time_rows(group):
        comparisons = "".join(f"  {text}" for text in (row.limit, *row.peers) if text)
        lines.append(f"  {row.name:36} {row.time:>15}{comparisons}")
    for row in quality_rows(group):
        lines.append(f"  {row.name:36} {f'{row.value} {row.unit}':>15}")
    return lines
