"""Options that several commands have."""

import click

seed = click.option(
    "--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Of what is drawn."
)
quiet = click.option("--quiet", is_flag=True, help="No progress bar.")
