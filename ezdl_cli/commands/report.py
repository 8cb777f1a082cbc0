"""`ezdl report`: one HTML page with all that a run of the pipeline has found."""

import json
from pathlib import Path

import click

from .. import io
from ..errors import InputError
from ..report.contents import gather, result_files
from ..report.page import report_page


@click.command(epilog="Example: ezdl report results/quick report.html")
@click.argument("folder", metavar="RESULTS", type=click.Path())
@click.argument("target", metavar="OUT.html", type=click.Path())
@click.option("--configuration", default="{}", metavar="JSON", help="To be shown with the results.")
def command(folder, target, configuration):
    """Write one page that needs no network and no other file.

    It has the claims with their verdicts, every figure with its caption and its table, the
    dictionaries as pictures, how long each step took, the configuration and the versions. RESULTS
    is a folder that the pipeline has made, such as results/quick; its claims.json is shown, and
    the claims are checked if there is none.
    """
    if Path(target).suffix.lower() != ".html":
        raise InputError(f"{target}: the name of a page must end with .html")
    io.check_target(target)
    io.check_results(folder)
    io.check_not_among(target, result_files(folder))
    page = report_page(gather(folder, _object(configuration)))
    io.save_text(target, page)


def _object(text):
    """The object that a JSON text has."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise InputError(f"--configuration {text!r} is no JSON object")
    return found
