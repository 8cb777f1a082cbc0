"""`ezdl claims`: judge the paper's claims by the measured results."""

from pathlib import Path

import click

from .. import io
from ..claims import findings
from ..claims.claim_formats import count, to_content, to_json, to_markdown
from ..claims.evidence import table_paths
from ..errors import InputError
from ..report.claim_cards import claims_page
from ._shared.grouped_help import new_command, path_argument
from ._shared.json_output import echo_json, json_option

FORMATS = {".md": to_markdown, ".json": to_json, ".html": claims_page}


@new_command("ezdl claims results/quick claims.md")
@path_argument("paths", metavar="RESULTS... OUT.md|.json|.html ...", nargs=-1, required=True)
@json_option
def command(paths, as_json):
    """Judge the claims of the paper by the tables of results.

    RESULTS is a results folder of the pipeline, such as results/quick, or tables from one. Tables
    that are missing in the first of several folders are taken from the next. Each claim gets a
    verdict: reproduced, not reproduced, undecided, or not measured if the results do not include
    its data. Several outputs, for instance claims.md claims.json, get the same verdicts; none is
    needed with --json.
    """
    sources, targets = _split(paths)
    if not sources:
        raise click.UsageError("Missing argument 'RESULTS...'.", click.get_current_context())
    if not targets and not as_json:
        message = "the name of the output must end with .md, .json or .html"
        raise InputError(f"{paths[-1]}: {message}")
    for path in targets:
        io.check_target(path)
    for source in sources:
        if not Path(source).is_file():
            io.check_results(source)
    for path in targets:
        io.check_not_among(path, table_paths(sources))
    found = findings(sources)
    for path in targets:
        io.save_text(path, FORMATS[_kind(path)](found))
    if as_json:
        echo_json(to_content(found))
    click.echo(count(found), err=True)


def _split(paths):
    """Return the results, and the outputs at the end, which have the suffix of a format."""
    first = len(paths)
    while first and _kind(paths[first - 1]) in FORMATS:
        first -= 1
    return paths[:first], paths[first:]


def _kind(path):
    return Path(path).suffix.lower()
