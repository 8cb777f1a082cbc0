"""The newest run as a table of text, and the figures that say most."""

from dataclasses import dataclass

from . import words
from .interleaved_timing import LIMIT, OURS, PEER
from .past import FAILED, ratios_to


@dataclass(frozen=True)
class Figure:
    """A ratio that we have set ourselves an aim for."""

    title: str
    group: str
    name: str
    other: str
    aim: float
    """The ratio must not be larger."""

    def of(self, run):
        """The ratio in a run, or None if it was not measured."""
        times = run["groups"].get(self.group, {}).get("times", {})
        return times.get(self.name, {}).get("ratios", {}).get(self.other)


_EZDL = "EZDL, sparseness 0.99"
FIGURES = (
    Figure("projection ÷ np.copyto", "projection, 2^24 entries", "auto", "np.copyto", 3.0),
    Figure("projection ÷ np.sort", "projection, rows of 256", "auto", "np.sort", 1.0),
    Figure("projection ÷ Hoyer's", "projection, 2^22 entries", "auto", "hoyer", 1 / 15),
    Figure("EZDL ÷ SPAMS, 8 × 8", "learning, 8 × 8", _EZDL, "SPAMS", 1 / 8),
    Figure("EZDL ÷ SPAMS, 16 × 16", "learning, 16 × 16", _EZDL, "SPAMS", 1 / 7),
    Figure("RLS-DLA ÷ EZDL", "learning, 8 × 8", "RLS-DLA, 4 nonzeros", _EZDL, 12.0),
    Figure(
        "Landweber ÷ BLAS",
        "Landweber, sparseness 0.99",
        "Landweber",
        "BLAS, the same products",
        3.0,
    ),
    Figure("denoising ÷ bm3d", "denoising of 256 × 256 on all cores", "denoising", "bm3d", 1.0),
)


def figures(run):
    """The figures that were measured, with their ratios."""
    found = ((figure, figure.of(run)) for figure in FIGURES)
    return [(figure, ratio) for figure, ratio in found if ratio is not None]


@dataclass(frozen=True)
class Row:
    """A candidate of ours in a run."""

    name: str
    median: float
    spread: float
    limit: tuple | None
    """Name of the first limit, and the ratio to it."""
    peers: dict
    """Ratios by name."""


def rows(group):
    """Our candidates in a group."""
    times = group.get("times", {})
    return [
        Row(
            name,
            found["median"],
            found["spread"],
            next(iter(ratios_to(times, name, LIMIT).items()), None),
            ratios_to(times, name, PEER),
        )
        for name, found in times.items()
        if found["kind"] == OURS
    ]


def summary(run):
    """A run as text."""
    lines = [line for title, group in run["groups"].items() for line in _group(title, group)]
    lines += ["", "Ratios of times, and what they must not exceed"]
    for figure, value in figures(run):
        kept = "" if value <= figure.aim else "  exceeded"
        lines.append(f"  {figure.title:28} {value:8.3f}  {figure.aim:6.3f}{kept}")
    return "\n".join(lines)


def _group(title, group):
    """The lines of a group."""
    if FAILED in group:
        return [f"{title}: could not be measured"]
    lines = [f"{title}: time for each {group['things']}" if group["times"] else title]
    for row in rows(group):
        others = ([row.limit] if row.limit else []) + list(row.peers.items())
        said = "".join(f"  {words.ratio(value)} × {name}" for name, value in others)
        time = f"{words.seconds(row.median):>8} ± {row.spread:4.0%}"
        lines.append(f"  {row.name:24} {time}{said}")
    for name, found in group["qualities"].items():
        lines.append(f"  {name:36} {words.quality(found['value'])} {found['unit']}")
    return lines
