"""A run as a table of text, which `ezdl bench run` prints."""

from dataclasses import dataclass

from .benchmark_group import ERROR
from .formatting import format_quality, format_ratio, format_seconds
from .interleaved_timing import LIMIT, OURS, PEER
from .regression_rules import ratios_to
from .speed_targets import measured_targets


@dataclass(frozen=True)
class BenchmarkRow:
    """A time or a quality as text; times with their ratios to the first limit and to the peers."""

    name: str
    value: str
    limit: str = ""
    peers: tuple[str, ...] = ()


def benchmark_rows(group):
    """Return the times of our candidates in a group of a run, and all qualities."""
    times = group["times"]
    qualities = [
        BenchmarkRow(name, f"{format_quality(one['value'])} {one['unit']}")
        for name, one in group["qualities"].items()
    ]
    return [
        BenchmarkRow(
            name,
            f"{format_seconds(one['median'])} ± {one['spread']:.0%}",
            next(iter(_ratio_texts(times, name, LIMIT)), ""),
            _ratio_texts(times, name, PEER),
        )
        for name, one in times.items()
        if one["kind"] == OURS
    ] + qualities


def _ratio_texts(times, name, kind):
    ratios = ratios_to(times, name, kind)
    return tuple(f"{format_ratio(ratio)} × {other}" for other, ratio in ratios.items())


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
    for row in benchmark_rows(group):
        ratios = "".join(f"  {text}" for text in (row.limit, *row.peers) if text)
        lines.append(f"  {row.name:36} {row.value:>15}{ratios}")
    return lines
