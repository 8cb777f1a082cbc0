"""`ezdl bench`: measure speed and quality, and see that they do not get worse."""

import click

from .bench_check import check_command
from .bench_epochs import epochs_command
from .bench_report import report_command
from .bench_run import run_command


@click.group(epilog="Example: ezdl bench run --quiet; ezdl bench check --quiet")
def command():
    """Measure speed and quality, keep a history, and tell what has become worse.

    Times are compared as ratios to limits that are measured in turns with them, so that they hold
    on a busy machine.
    """


for subcommand in (run_command, check_command, report_command, epochs_command):
    command.add_command(subcommand)
