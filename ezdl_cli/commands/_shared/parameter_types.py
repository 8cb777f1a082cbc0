"""Types of option values: numbers, lists and pairs of numbers."""

import math

import click


class Integer(click.IntRange):
    """An integer within a range."""

    name = "integer"


class Number(click.FloatRange):
    """A finite number within a range; click itself accepts NaN in any range."""

    name = "float"

    def convert(self, value, param, ctx):
        number = super().convert(value, param, ctx)
        if not math.isfinite(number):
            self.fail(f"{value!r} is not a finite number.", param, ctx)
        return number


FRACTION = Number(0.0, 1.0, min_open=True, max_open=True)
COUNT = Integer(1, 10**7)


class NumberList(click.ParamType):
    """Numbers separated by commas; each is converted by `number`, duplicates are dropped."""

    name = "N,N,..."

    def __init__(self, number):
        self.number = number

    def convert(self, value, param, ctx):
        if isinstance(value, tuple):
            return value
        parts = (self.number.convert(part, param, ctx) for part in value.split(","))
        return tuple(dict.fromkeys(parts))


class NumberOrWord(click.ParamType):
    """A number, or `word` itself."""

    def __init__(self, number, word):
        self.number, self.word = number, word
        self.name = f"{number.name}|{word}"

    def convert(self, value, param, ctx):
        return value if value == self.word else self.number.convert(value, param, ctx)


class Pair(click.ParamType):
    """Two numbers with a separator between them, such as 16x16 or 2:22."""

    name = "pair"

    def __init__(self, number, separator, example):
        self.number, self.separator, self.example = number, separator, example

    def convert(self, value, param, ctx):
        if isinstance(value, tuple):
            return value
        parts = value.lower().split(self.separator)
        if len(parts) != 2:
            self.fail(f"{value!r} is not of the form {self.example}.", param, ctx)
        return tuple(self.number.convert(part, param, ctx) for part in parts)
