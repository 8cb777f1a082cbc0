"""The same work by one and by two threads, and on all cores."""

import os
from contextlib import contextmanager

from ...platforms import available_cores
from ..benchmark_group import BenchmarkGroup
from ..interleaved_timing import Candidate

NAMES = {1: "1 thread", 2: "2 threads"}


def by_threads(run, n_items, item, what):
    """Return a group of a function by one thread and, if there are two cores, by two.

    `what` is the first part of a sentence that says what the function does.
    """

    def with_threads(n_threads):
        def limited():
            with _threads(str(n_threads)):
                run()

        return limited

    candidates = [
        Candidate(name, with_threads(n_threads), n_items)
        for n_threads, name in NAMES.items()
        if n_threads <= available_cores()
    ]
    return BenchmarkGroup(candidates, item, about=f"{what} by one and by two threads.")


def with_all_cores(run):
    """Return a function that runs another one on all cores that are available to the process."""

    def on_all_cores():
        with _threads(None):
            run()

    return on_all_cores


@contextmanager
def _threads(number):
    """Use a number of threads, a string, or one per core if it is None."""
    before = os.environ.pop("EZDL_THREADS", None)
    if number is not None:
        os.environ["EZDL_THREADS"] = number
    try:
        yield
    finally:
        os.environ.pop("EZDL_THREADS", None)
        if before is not None:
            os.environ["EZDL_THREADS"] = before
