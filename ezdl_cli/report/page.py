"""The page: claims, figures, dictionaries, times, configuration and versions, in one file."""

import base64
import gzip
import json
from html import escape

from ..claims.writing import count, to_html
from ..figures import FIGURES
from ..pages.frame import facts, page
from ..provenance import commit, surroundings

PAPER = (
    "Markus Thom, Matthias Rapp, Günther Palm: Efficient Dictionary Learning with "
    "Sparseness-Enforcing Projections. International Journal of Computer Vision 114, 2015"
)
# Tables beyond this are packed.
LARGE = 1 << 16
PREVIEW = 12


def claims_page(found):
    """A page with the claims alone."""
    counted = f"<p>{escape(count(found))}</p>"
    return page("The paper's claims", counted + to_html(found))


def report_page(contents):
    """The whole report.

    Parameters
    ----------
    contents : report.contents.Contents

    Returns
    -------
    str
    """
    parts = {
        "Claims": to_html(contents.found, {figure.name for figure in contents.figures}),
        "Figures": _figures(contents.figures),
        "Dictionaries": _pictures(contents.dictionaries, "atoms"),
        "Noise removed": _pictures(contents.crops, "figures"),
        "Times": _times(contents.times),
        "Configuration": _listing(contents.configuration),
        "Versions": facts({"commit": commit() or "not known", **surroundings()}),
    }
    parts = {title: text for title, text in parts.items() if text}
    links = " ".join(f'<a href="#{_anchor(title)}">{title}</a>' for title in parts)
    sections = "".join(
        f'<section id="{_anchor(title)}"><h2>{title}</h2>\n{text}</section>\n'
        for title, text in parts.items()
    )
    about = f'<p class="dim">{escape(PAPER)}</p><p>{escape(count(contents.found))}</p>'
    return page(f"The paper reproduced: {contents.name}", f"{about}<nav>{links}</nav>{sections}")


def _figures(figures):
    """Every figure with its caption and its table."""
    return f'<div class="figures">{"".join(map(_figure, figures))}</div>'


def _figure(figure):
    about = FIGURES[figure.name]
    caption = f"<strong>Figure {about.number}.</strong> {escape(about.caption)}"
    return (
        f'<figure id="{figure.name}"><img src="{_data("image/png", figure.png)}"'
        f' alt="Figure {about.number}: {escape(about.title)}">'
        f"<figcaption>{caption}<br>{_download(figure.stem, figure.csv)}</figcaption>"
        f"{_preview(figure.rows)}</figure>\n"
    )


def _download(stem, table):
    """A link that saves the table; large ones are packed."""
    name, kind = f"{stem}.csv", "text/csv"
    if len(table) > LARGE:
        name, kind, table = f"{name}.gz", "application/gzip", gzip.compress(table, mtime=0)
    return f'<a href="{_data(kind, table)}" download="{name}">{name}</a>'


def _preview(table):
    """The first rows of a table."""
    header, *rows = table
    head = "".join(f"<th>{escape(name)}</th>" for name in header)
    shown = "".join(
        "<tr>" + "".join(f"<td>{escape(_short(cell))}</td>" for cell in row) + "</tr>"
        for row in rows[:PREVIEW]
    )
    left = len(rows) - PREVIEW
    more = f'<p class="dim">and {left} rows more</p>' if left > 0 else ""
    return (
        f"<details><summary>{len(rows)} rows</summary>"
        f'<div class="scroll"><table><tr>{head}</tr>{shown}</table></div>{more}</details>'
    )


def _short(cell):
    """A number with fewer digits; what is none as it is."""
    try:
        return f"{float(cell):.6g}"
    except ValueError:
        return cell


def _pictures(pictures, style):
    """Pictures with what is said of them."""
    shown = "".join(
        f'<figure><img src="{_data("image/png", png)}" alt="{escape(label)}">'
        f"<figcaption>{escape(label)}</figcaption></figure>\n"
        for label, png in pictures
    )
    return f'<div class="{style}">{shown}</div>' if shown else ""


def _times(times):
    """How long each kind of step took."""
    rows = "".join(
        f"<tr><td>{escape(step.kind)}</td>"
        + "".join(f'<td class="number">{text}</td>' for text in step.numbers())
        + "</tr>"
        for step in times
    )
    titles = ("step", "how often", "seconds in all", "longest", "CPU seconds", "most MiB")
    head = "".join(f"<th>{title}</th>" for title in titles)
    return f'<div class="scroll"><table><tr>{head}</tr>{rows}</table></div>' if rows else ""


def _listing(configuration):
    """A line for each value; those of a section are indented."""
    lines = []
    for key, value in configuration.items():
        inner = value if isinstance(value, dict) else {}
        lines.append(f"{key}:" if inner else f"{key}: {json.dumps(value, ensure_ascii=False)}")
        lines += [f"  {k}: {json.dumps(v, ensure_ascii=False)}" for k, v in inner.items()]
    return f"<pre>{escape(chr(10).join(lines))}</pre>" if lines else ""


def _anchor(title):
    return title.lower().replace(" ", "-")


def _data(kind, content):
    return f"data:{kind};base64,{base64.b64encode(content).decode('ascii')}"
