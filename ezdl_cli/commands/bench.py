"""`ezdl bench`: measure speed and quality, and find regressions."""

import click

from .bench_check import check_command
from .bench_epochs import epochs_command
from .bench_filtering import filtering_command
from .bench_report import report_command
from .bench_run import run_command


@click.group(epilog="Example: ezdl bench run --quiet; ezdl bench check --quiet")
def command():
    """Measure speed and quality, keep a history, and find regressions.

    Times are compared as ratios to those of basic operations (copying, sorting, matrix products)
    that take turns with them, so that the results are also valid on a busy machine.
    """


for subcommand in (
    run_command,
    check_command,
    report_command,
    epochs_command,
    filtering_command,
):
    command.add_command(subcommand)
