"""`ezdl bench report`: one page with the newest run and how it came there."""

import click

from .. import io
from ..bench.dashboard import dashboard
from ..bench.regression_rules import runs_of_newest_machine
from ._shared.bench_history import history_option, load


@click.command("report", epilog="Example: ezdl bench report bench.html --history bench.jsonl")
@click.argument("target", metavar="OUT.html", type=click.Path())
@history_option
def report_command(target, path):
    """Write a page with the newest run, a trend line for each benchmark, and what is worse.

    It needs no network and no other file. Runs of the machine of the newest one are shown.
    """
    io.check_target(target)
    runs = load(path, needed=True)
    io.check_not_among(target, [path])
    page = dashboard(runs_of_newest_machine(runs))
    io.save_text(target, page)
