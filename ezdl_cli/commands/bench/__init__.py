"""`ezdl bench`: measure speed and quality, and see that they do not get worse."""

import click

from .check import check_command
from .epochs import epochs_command
from .report import report_command
from .run import run_command


@click.group(epilog="Example: ezdl bench run --quiet; ezdl bench check --quiet")
def command():
    """Measure speed and quality, keep a history, and tell what has become worse.

    Times are compared as ratios to limits that are measured in turns with them, so that they hold
    on a busy machine.
    """


for subcommand in (run_command, check_command, report_command, epochs_command):
    command.add_command(subcommand)
