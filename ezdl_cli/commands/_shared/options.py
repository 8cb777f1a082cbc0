"""What several commands have."""

import math

import click

from .progress import tell

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
        tell(f"left out {name}: {reason}")


class Between(click.FloatRange):
    """A number of a range; NaN, of which Click thinks that it is in all of them, is in none."""

    def convert(self, value, parameter, context):
        number = super().convert(value, parameter, context)
        if not math.isfinite(number):
            self.fail(f"{value!r} is no number", parameter, context)
        return number


SHARE = Between(0.0, 1.0, min_open=True, max_open=True)


class Numbers(click.ParamType):
    """A list of different numbers, such as `example`; `fits` says which are allowed."""

    name = "N,N,..."

    def __init__(self, kind, fits, example):
        self.kind, self.fits, self.example = kind, fits, example

    def convert(self, value, parameter, context):
        if isinstance(value, tuple):
            return value
        try:
            numbers = tuple(dict.fromkeys(self.kind(part) for part in value.split(",")))
        except ValueError:
            numbers = ()
        if not numbers or not all(map(self.fits, numbers)):
            self.fail(f"{value!r} is not a list such as {self.example}", parameter, context)
        return numbers


WHOLE_NUMBERS = Numbers(int, lambda number: 1 <= number <= LARGEST, "1,2,5,10")
EPOCHS = Numbers(int, lambda number: 0 <= number <= LARGEST, "0,1,2,5,10")
SHARES = Numbers(float, lambda share: 0.0 < share < 1.0, "0.75,0.99")
LEVELS = Numbers(float, lambda level: 0.0 <= level <= LARGEST_LEVEL, "2.5,25,50")


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
        if min(rows, columns) < 1:
            self.fail(f"{value!r} is not a grid such as 16x16", parameter, context)
        return rows, columns
