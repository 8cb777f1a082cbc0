"""`ezdl bench report`: an HTML dashboard of the newest run and its history."""

import click

from .. import io
from ..bench.dashboard import dashboard
from ..bench.regression_rules import runs_of_newest_machine
from ._shared.bench_history import history_option, load_runs
from ._shared.grouped_help import GroupedCommand, path_argument


@click.command(
    "report",
    cls=GroupedCommand,
    epilog="Example: ezdl bench report bench.html --history bench.jsonl",
)
@path_argument("target", metavar="OUT.html")
@history_option
def report_command(target, path):
    """Write an HTML page with the newest run, a trend line per benchmark, and the regressions.

    The page shows the runs on the machine of the newest one. It is a single file that loads
    nothing from the network.
    """
    io.check_target(target)
    runs = load_runs(path, required=True)
    io.check_not_among(target, [path])
    io.save_text(target, dashboard(runs_of_newest_machine(runs)))
