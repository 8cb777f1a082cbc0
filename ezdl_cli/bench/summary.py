"""The newest run as a table of text, and the figures that say most."""

from dataclasses import dataclass

from .contest import LIMIT, OURS, PEER
from .past import FAILED, ratios_to

UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"))


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
    """A contender of ours in a run."""

    name: str
    median: float
    spread: float
    limit: tuple | None
    """Name of the first limit, and the ratio to it."""
    peers: dict
    """Ratios by name."""


def rows(group):
    """Our contenders in a group."""
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
    lines = []
    for title, group in run["groups"].items():
        if FAILED in group:
            lines.append(f"{title}: could not be measured")
            continue
        lines.append(title if not group["times"] else f"{title}: time for each {group['things']}")
        for row in rows(group):
            ratios = {row.limit[0]: row.limit[1]} if row.limit else {}
            said = "".join(
                f"  {ratio:.3g} × {name}" for name, ratio in (ratios | row.peers).items()
            )
            lines.append(f"  {row.name:24} {seconds(row.median):>8} ± {row.spread:4.0%}{said}")
        for name, quality in group["qualities"].items():
            lines.append(f"  {name:36} {number(quality['value'])} {quality['unit']}")
    lines += ["", "Ratios of times, and what they must not exceed"]
    for figure, ratio in figures(run):
        kept = "" if ratio <= figure.aim else "  exceeded"
        lines.append(f"  {figure.title:28} {ratio:8.3f}  {figure.aim:6.3f}{kept}")
    return "\n".join(lines)


def seconds(value):
    """A time with a fitting unit."""
    size, unit = next((one for one in UNITS if value >= one[0]), UNITS[-1])
    return f"{value / size:.3g} {unit}"


def number(value):
    """A quality with five digits."""
    return "none" if value is None else f"{value:.5g}"
