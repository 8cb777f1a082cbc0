"""The report: its sections in the order of the page."""

import gzip

from ..claims.claim_formats import count
from ..durations import format_duration
from ..experiments.restoration_labels import DENOISING
from ..figures import FIGURES, stem
from ..pages.rendering import render
from ..provenance import commit, surroundings
from .claim_cards import claims_section, open_claims, verdict_strip
from .run_facts import run_facts
from .setup_differences import setup_differences

LARGE_TABLE = 1 << 16
"""Bytes of a CSV table from which on the page holds it compressed."""
N_PREVIEW_ROWS = 12
TOP_DICTIONARY = "whitened-topographic"
MEDIA_TYPES = {"svg": "image/svg+xml", "pdf": "application/pdf", "png": "image/png"}


def report_page(results):
    """Return the HTML page of the report.

    Parameters
    ----------
    results : PipelineResults

    Returns
    -------
    str
    """
    return render(
        "report",
        name=results.name,
        count=count(results.findings),
        facts=run_facts(results),
        top=_top_picture(results.dictionaries),
        strip=verdict_strip(results.findings),
        open_claims=open_claims(results.findings),
        thumbnails={figure.name: figure.thumbnail for figure in results.figures},
        sections={title: html for title, html in _sections(results).items() if html},
    )


def _sections(results):
    """Return the HTML of each section by its title, empty if there is nothing to show."""
    configuration, steps = results.configuration, results.step_times
    linked = {figure.name for figure in results.figures}
    return {
        "Claims": claims_section(results.findings, configuration, linked),
        "Figures": results.figures and _figures(results.figures),
        "Dictionaries": results.dictionaries
        and render("report/dictionaries", dictionaries=results.dictionaries),
        **_comparisons(results.comparisons),
        "Times": steps and render("report/times", steps=steps, format_duration=format_duration),
        "Set-up": render(
            "report/setup",
            differences=setup_differences(configuration),
            configuration=configuration,
            versions={"commit": commit() or "unknown", **surroundings()},
        ),
    }


def _comparisons(comparisons):
    """Return the sections that compare denoised images, and those of tasks beyond the paper."""
    denoised = [one for one in comparisons if one.task == DENOISING]
    others = [one for one in comparisons if one.task != DENOISING]
    return {
        title: chosen
        and render(
            "report/comparisons", comparisons=chosen, group=title.split()[0].lower(), **words
        )
        for title, chosen, words in (
            ("Denoised images", denoised, {"before": "noisy", "after": "denoised"}),
            ("Restored images", others, {"before": "degraded", "after": "restored"}),
        )
    }


def _figures(figures):
    return render(
        "report/figures",
        figures=figures,
        about=FIGURES,
        stem=stem,
        media_types=MEDIA_TYPES,
        downloads=_downloads,
        short=_short,
        n_preview_rows=N_PREVIEW_ROWS,
    )


def _top_picture(dictionaries):
    """Return the dictionary that the top of the page shows; None if there is none."""
    by_name = {one.name: one for one in dictionaries}
    return by_name.get(TOP_DICTIONARY, dictionaries[0] if dictionaries else None)


def _downloads(figure):
    """Return label, file name, media type and content of each file of a figure but the SVG."""
    table, suffix, media_type = figure.files["csv"], "csv", "text/csv"
    if len(table) > LARGE_TABLE:
        table, suffix, media_type = gzip.compress(table, mtime=0), "csv.gz", "application/gzip"
    images = [(kind, MEDIA_TYPES[kind], figure.files.get(kind)) for kind in ("pdf", "png")]
    return [
        (kind.partition(".")[0].upper(), f"{stem(figure.name)}.{kind}", media, content)
        for kind, media, content in (*images, (suffix, media_type, table))
        if content is not None
    ]


def _short(cell):
    """A cell of a table; numbers that are no integers are rounded to six digits."""
    try:
        return cell if cell.isdecimal() else f"{float(cell):.6g}"
    except ValueError:
        return cell
