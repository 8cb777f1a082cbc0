"""The page of the benchmarks: the newest run, how it came there, and what has become worse."""

from html import escape

from ..pages.frame import facts, page
from . import words
from .past import FAILED, FEWEST, benchmarks
from .regressions import regressions
from .summary import figures, rows
from .trend import main_key, trend, value


def dashboard(runs):
    """A whole page.

    Parameters
    ----------
    runs : list of dict
        The runs of one machine, oldest first; the last one is shown.
    """
    newest = runs[-1]
    found, judged = regressions(runs)
    worse = {(one.group, one.name) for one in found}
    past = benchmarks(runs)
    groups = "".join(
        _group(title, group, past, worse, runs) for title, group in newest["groups"].items()
    )
    parts = {
        "Worse than usual": _regressions(found, judged, runs),
        "Ratios with an aim": _figures(newest),
        "All benchmarks": _LEGEND + groups,
        "The run": facts(_about(newest, runs)),
    }
    body = "".join(
        f"<section><h2>{title}</h2>\n{text}</section>\n" for title, text in parts.items()
    )
    when = f"{newest['time']}, {newest['suite']}, {newest['machine'].get('processor', '')}"
    return page("Benchmarks", f'<p class="dim">{escape(when)}</p>{body}')


_LEGEND = (
    '<p class="dim">Times are medians, ± half the distance of the quartiles. Ratios are times over '
    "those of a limit (what the machine can do at best) or of a peer, measured in turns in one "
    "process: the smaller, the better. A trend line shows the ratio to the limit, or the quality, "
    "from run to run; the band is what is usual, with the least change that counts; dots that are "
    "larger and orange are runs that were worse.</p>"
)


def _regressions(found, judged, runs):
    """What is worse, or that nothing is."""
    if found:
        items = "".join(
            f"<li><strong>{escape(one.title)}</strong>: {escape(one.text)}, since "
            f"{escape(runs[one.since]['time'])}</li>"
            for one in found
        )
        return f'<ul class="worse">{items}</ul>'
    if not judged:
        return f"<p>There are too few earlier runs to compare with; {FEWEST} are needed.</p>"
    return f'<p class="fine">Nothing, compared with {len(runs) - 1} earlier runs.</p>'


def _figures(run):
    """Ratios with what they must not exceed."""
    lines = "".join(
        f"<tr{_style(ratio > figure.aim)}><td>{escape(figure.title)}</td>"
        f'<td class="number">{ratio:.3f}</td><td class="number">{figure.aim:.3g}</td>'
        f"<td>{'exceeded' if ratio > figure.aim else 'kept'}</td>"
        f'<td class="dim">{escape(figure.group)}</td></tr>'
        for figure, ratio in figures(run)
    )
    head = "<th>times</th><th>ratio</th><th>at most</th><th>aim</th><th>measured with</th>"
    return f'<div class="scroll"><table class="aims"><tr>{head}</tr>{lines}</table></div>'


def _group(title, group, past, worse, runs):
    """The benchmarks of a group."""
    if FAILED in group:
        said = f"could not be measured: {group[FAILED]}"
        return f'<h3>{escape(title)}</h3><p class="worse">{escape(said)}</p>'
    lines = [
        _time(row, past.get((title, row.name)), (title, row.name) in worse, runs)
        for row in rows(group)
    ]
    lines += [
        _quality(name, quality, past.get((title, name)), (title, name) in worse, runs)
        for name, quality in group["qualities"].items()
    ]
    titles = (
        "",
        "time" if group["times"] else "quality",
        "of the limit",
        "of peers",
        "usual",
        "trend",
    )
    head = "".join(f"<th>{one}</th>" for one in titles)
    each = f' <span class="dim">for each {escape(group["things"])}</span>' if group["times"] else ""
    return (
        f'<h3>{escape(title)}{each}</h3><div class="scroll"><table class="bench">'
        f"<tr>{head}</tr>{''.join(lines)}</table></div>\n"
    )


def _time(row, benchmark, is_worse, runs):
    """A candidate of ours, beside its limit and its peers."""
    limit = _ratio(*row.limit) if row.limit else ""
    peers = "<br>".join(_ratio(name, value) for name, value in row.peers.items())
    time = f"{words.seconds(row.median)} ± {row.spread:.0%}"
    return _row(row.name, time, limit, peers, benchmark, is_worse, runs)


def _ratio(name, value):
    return f"{words.ratio(value)} × {escape(name)}"


def _quality(name, quality, benchmark, is_worse, runs):
    """A quality of ours or of a peer."""
    text = f"{words.quality(quality['value'])} {escape(quality['unit'])}"
    return _row(name, text, "", "", benchmark, is_worse, runs)


def _row(name, text, limit, peers, benchmark, is_worse, runs):
    usual = drawn = ""
    if benchmark is not None:
        drawn = trend(benchmark, runs)
        middle = benchmark.usual(main_key(benchmark))
        usual = "" if middle is None else escape(value(benchmark, middle))
    return (
        f"<tr{_style(is_worse)}><td>{escape(name)}</td><td>{text}</td><td>{limit}</td>"
        f"<td>{peers}</td><td>{usual}</td><td>{drawn}</td></tr>"
    )


def _style(is_worse):
    return ' class="worse"' if is_worse else ""


def _about(run, runs):
    """When, where and with what the newest run was made."""
    machine = run["machine"]
    return {
        "time": run["time"],
        "suite": run["suite"],
        "seconds": f"{run['seconds']:.0f}",
        "load before": f"{run['load']:.1f}",
        "commit": str(run.get("commit") or "not known"),
        "runs of this machine": str(len(runs)),
        **{name: str(text) for name, text in machine.items()},
        **{name: str(text) for name, text in run["versions"].items()},
    }
