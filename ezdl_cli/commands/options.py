"""What several commands have."""

import click

seed = click.option(
    "--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Of what is drawn."
)
quiet = click.option("--quiet", is_flag=True, help="No progress bar.")
skip_bad = click.option("--skip-bad", is_flag=True, help="Leave out pictures that are unusable.")


def say_left_out(pictures):
    """Name the pictures, pairs of a name and a reason, that --skip-bad has left out."""
    for name, reason in pictures:
        click.echo(f"ezdl: left out {' '.join(f'{name}: {reason}'.split())}", err=True)
