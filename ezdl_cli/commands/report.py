"""`ezdl report`: all results of a run of the pipeline, as an HTML page or as an article."""

import json
from dataclasses import replace
from pathlib import Path

import click

from .. import io
from ..errors import InputError
from ..extras import require_extra
from ..report.article_pdf import article_pdf
from ..report.results_folder import load_results, result_files
from ..report.sections import report_page
from ._shared.grouped_help import GroupedCommand, option, path_argument


@click.command(cls=GroupedCommand, epilog="Example: ezdl report results/quick report.html")
@path_argument("folder", metavar="RESULTS")
@path_argument("target", metavar="OUT.html|.pdf")
@option(
    "--configuration",
    str,
    "{}",
    "Configuration of the pipeline, a JSON object, to replace values of that in RESULTS.",
    metavar="JSON",
)
def command(folder, target, configuration):
    """Write all results of a run of the pipeline as an HTML page or as an article.

    OUT.html is a page that shows the claims with their verdicts, every figure with its caption and
    its table, the atoms of the dictionaries, the time of each step, the configuration and the
    versions of all packages. It is a single file that loads nothing from the network.

    OUT.pdf is a typeset account of the reproduction: method, figures, claims, a discussion of those
    that are not reproduced, and what the run did differently from the paper. It needs the package
    typst.

    RESULTS is a folder that the pipeline has written, such as results/quick. The verdicts are read
    from its claims.json; without that file, the claims are checked now.
    """
    suffix = Path(target).suffix.lower()
    if suffix not in (".html", ".pdf"):
        raise InputError(f"{target}: the file name must end in .html or .pdf")
    io.check_target(target)
    io.check_results(folder)
    io.check_not_among(target, result_files(folder))
    if suffix == ".pdf":
        # Before the results are read, which takes longer.
        require_extra("pdf", "writing an article")
    results = load_results(folder)
    results = replace(results, configuration=results.configuration | _parse_object(configuration))
    if suffix == ".pdf":
        io.save_bytes(target, article_pdf(folder, results))
    else:
        io.save_text(target, report_page(results))


def _parse_object(text):
    """Return the JSON object in a text."""
    try:
        parsed = json.loads(text)
    except (ValueError, RecursionError):
        parsed = None
    if not isinstance(parsed, dict):
        raise InputError(f'--configuration {text!r}: not a JSON object such as {{"seed": 0}}')
    return parsed
