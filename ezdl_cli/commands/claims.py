"""`ezdl claims`: the paper's claims with the numbers that were measured, and their verdicts."""

from pathlib import Path

import click

from .. import io
from ..claims import findings
from ..claims.evidence import tables_of
from ..claims.writing import count, to_json, to_markdown
from ..errors import InputError
from ..report.claims_table import claims_page

FORMATS = {".md": to_markdown, ".json": to_json, ".html": claims_page}


@click.command(epilog="Example: ezdl claims results/quick claims.md")
@click.argument("places", metavar="RESULTS...", type=click.Path(), nargs=-1, required=True)
@click.argument("target", metavar="OUT.md|.json|.html", type=click.Path())
def command(places, target):
    """Check the paper's claims with the tables of results.

    RESULTS is a folder that the pipeline has made, such as results/quick, or tables out of one;
    what the first of several folders leaves out is taken from the next. Each claim has a verdict:
    reproduced, not reproduced, or not measured, if the results leave out what it needs.
    """
    kind = Path(target).suffix.lower()
    if kind not in FORMATS:
        raise InputError(f"{target}: the name must end with .md, .json or .html")
    io.check_target(target)
    for place in places:
        if not Path(place).is_file():
            io.check_results(place)
    io.check_not_among(target, [*places, *tables_of(places)])
    found = findings(places)
    io.save_text(target, FORMATS[kind](found))
    click.echo(count(found), err=True)
