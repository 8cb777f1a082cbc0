"""What several commands have."""

import click

seed = click.option(
    "--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Of what is drawn."
)
quiet = click.option("--quiet", is_flag=True, help="No progress bar.")
skip_bad = click.option("--skip-bad", is_flag=True, help="Leave out pictures that are unusable.")


LARGEST = 10**7
LARGEST_LEVEL = 10**4


def say_left_out(pictures):
    """Name the pictures, pairs of a name and a reason, that --skip-bad has left out."""
    for name, reason in pictures:
        click.echo(f"ezdl: left out {' '.join(f'{name}: {reason}'.split())}", err=True)


class WholeNumbers(click.ParamType):
    """A list such as 1,2,5,10."""

    name = "N,N,..."

    def convert(self, value, parameter, context):
        if isinstance(value, tuple):
            return value
        try:
            numbers = tuple(int(part) for part in value.split(","))
        except ValueError:
            numbers = (0,)
        if not all(1 <= number <= LARGEST for number in numbers):
            self.fail(f"{value!r} is not a list such as 1,2,5,10", parameter, context)
        return numbers


class Shares(click.ParamType):
    """A list of numbers between 0 and 1, such as 0.75,0.99."""

    name = "S,S,..."

    def convert(self, value, parameter, context):
        if isinstance(value, tuple):
            return value
        try:
            numbers = tuple(dict.fromkeys(float(part) for part in value.split(",")))
        except ValueError:
            numbers = (0.0,)
        if not all(0.0 < number < 1.0 for number in numbers):
            self.fail(f"{value!r} is not a list such as 0.75,0.99", parameter, context)
        return numbers


class Levels(click.ParamType):
    """A list of noise levels, such as 2.5,25,50."""

    name = "N,N,..."

    def convert(self, value, parameter, context):
        if isinstance(value, tuple):
            return value
        try:
            numbers = tuple(dict.fromkeys(float(part) for part in value.split(",")))
        except ValueError:
            numbers = (-1.0,)
        if not all(0.0 <= number <= LARGEST_LEVEL for number in numbers):
            self.fail(f"{value!r} is not a list such as 2.5,25,50", parameter, context)
        return numbers


class Grid(click.ParamType):
    """Rows and columns, such as 16x16."""

    name = "ROWSxCOLUMNS"

    def convert(self, value, parameter, context):
        if isinstance(value, tuple):
            return value
        try:
            rows, columns = (int(part) for part in value.lower().split("x"))
        except ValueError:
            self.fail(f"{value!r} is not a grid such as 16x16", parameter, context)
        return rows, columns
