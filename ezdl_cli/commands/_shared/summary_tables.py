"""Load tables of observations and summarise them."""

from contextlib import contextmanager

from ... import io
from ...errors import InputError
from ...experiments.summaries import SUMMARIES


def load_summary(name, paths):
    """Return the summary `name` of the observations in one or several tables."""
    summary = SUMMARIES[name]
    table = io.load_tables(paths, summary.numbers, summary.words)
    with fitting(paths[0], f"summary {name!r} cannot be computed from it"):
        return summary.compute(table)


@contextmanager
def fitting(source, problem):
    """Turn errors about the content of a table into an InputError that names the table."""
    try:
        yield
    except InputError:
        raise
    except (ArithmeticError, LookupError, StopIteration, TypeError, ValueError, Warning) as error:
        raise InputError(f"{source}: {problem} ({error})") from None
