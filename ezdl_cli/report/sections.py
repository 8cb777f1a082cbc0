"""The report: its sections in the order of the page."""

import gzip

from ..claims.claim_formats import count
from ..figures import FIGURES, stem
from ..pages.rendering import render
from ..provenance import commit, surroundings
from .claims_table import claims_table

LARGE_TABLE = 1 << 16
"""Bytes of a CSV table from which on the page holds it compressed."""
N_PREVIEW_ROWS = 12


def report_page(results, configuration):
    """Return the HTML page of the report.

    Parameters
    ----------
    results : PipelineResults
    configuration : dict
        Configuration of the pipeline, shown as it is.

    Returns
    -------
    str
    """
    sections = {
        "Claims": claims_table(results.findings, {one.name for one in results.figures}),
        "Figures": results.figures
        and render(
            "report/figures",
            figures=results.figures,
            about=FIGURES,
            download=_download,
            short=_short,
            n_preview_rows=N_PREVIEW_ROWS,
        ),
        "Dictionaries": _images(results.dictionaries, "atoms"),
        "Denoised images": _images(results.denoised_images, "figures"),
        "Times": results.step_times and render("report/times", steps=results.step_times),
        "Configuration": configuration
        and render("report/configuration", configuration=configuration),
        "Versions": render(
            "name_value_table", values={"commit": commit() or "unknown", **surroundings()}
        ),
    }
    return render(
        "report",
        name=results.name,
        count=count(results.findings),
        sections={title: html for title, html in sections.items() if html},
    )


def _images(images, style):
    """Captioned images, or nothing if there are none."""
    return images and render("report/images", images=images, style=style)


def _download(figure):
    """File name, media type and content of the download of a figure's table."""
    if len(figure.csv) <= LARGE_TABLE:
        return f"{stem(figure.name)}.csv", "text/csv", figure.csv
    return f"{stem(figure.name)}.csv.gz", "application/gzip", gzip.compress(figure.csv, mtime=0)


def _short(cell):
    """A cell of a table; numbers are rounded to six digits."""
    try:
        return f"{float(cell):.6g}"
    except ValueError:
        return cell
