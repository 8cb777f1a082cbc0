"""`ezdl claims`: judge the paper's claims by the measured results."""

from pathlib import Path

import click

from .. import io
from ..claims import findings
from ..claims.claim_formats import count, to_json, to_markdown
from ..claims.evidence import table_paths
from ..errors import InputError
from ..report.claims_table import claims_page
from ._shared.grouped_help import new_command, path_argument

FORMATS = {".md": to_markdown, ".json": to_json, ".html": claims_page}


@new_command("ezdl claims results/quick claims.md")
@path_argument("sources", metavar="RESULTS...", nargs=-1, required=True)
@path_argument("target", metavar="OUT.md|.json|.html")
def command(sources, target):
    """Judge the claims of the paper by the summary tables of results.

    RESULTS is a results folder of the pipeline, such as results/quick, or summary tables from one.
    Tables that are missing in the first of several folders are taken from the next. Each claim gets
    a verdict: reproduced, not reproduced, or not measured if the results do not include its data.
    """
    kind = Path(target).suffix.lower()
    if kind not in FORMATS:
        raise InputError(f"{target}: the name of the output must end with .md, .json or .html")
    io.check_target(target)
    for source in sources:
        if not Path(source).is_file():
            io.check_results(source)
    io.check_not_among(target, table_paths(sources))
    found = findings(sources)
    io.save_text(target, FORMATS[kind](found))
    click.echo(count(found), err=True)
