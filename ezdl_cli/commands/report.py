"""`ezdl report`: one HTML page with all results of a run of the pipeline."""

import json
from pathlib import Path

import click

from .. import io
from ..errors import InputError
from ..report.results_folder import load_results, result_files
from ..report.sections import report_page
from ._shared.grouped_help import GroupedCommand, option, path_argument


@click.command(cls=GroupedCommand, epilog="Example: ezdl report results/quick report.html")
@path_argument("folder", metavar="RESULTS")
@path_argument("target", metavar="OUT.html")
@option(
    "--configuration",
    str,
    "{}",
    "Configuration of the pipeline, a JSON object, to replace values of that in RESULTS.",
    metavar="JSON",
)
def command(folder, target, configuration):
    """Write one HTML page with all results of a run of the pipeline.

    The page shows the claims with their verdicts, every figure with its caption and its table, the
    atoms of the dictionaries, the time of each step, the configuration and the versions of all
    packages. It is a single file that loads nothing from the network.

    RESULTS is a folder that the pipeline has written, such as results/quick. The verdicts are read
    from its claims.json; without that file, the claims are checked now.
    """
    if Path(target).suffix.lower() != ".html":
        raise InputError(f"{target}: the file name must end in .html")
    io.check_target(target)
    io.check_results(folder)
    io.check_not_among(target, result_files(folder))
    results = load_results(folder)
    configuration = results.configuration | _parse_object(configuration)
    io.save_text(target, report_page(results, configuration))


def _parse_object(text):
    """Return the JSON object in a text."""
    try:
        parsed = json.loads(text)
    except (ValueError, RecursionError):
        parsed = None
    if not isinstance(parsed, dict):
        raise InputError(f'--configuration {text!r}: not a JSON object such as {{"seed": 0}}')
    return parsed
