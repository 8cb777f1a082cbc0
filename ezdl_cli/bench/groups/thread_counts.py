"""The same work by one and by two threads."""

import os

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
            before = os.environ.get("EZDL_THREADS")
            os.environ["EZDL_THREADS"] = str(n_threads)
            try:
                run()
            finally:
                os.environ.pop("EZDL_THREADS")
                if before is not None:
                    os.environ["EZDL_THREADS"] = before

        return limited

    candidates = [
        Candidate(name, with_threads(n_threads), n_items)
        for n_threads, name in NAMES.items()
        if n_threads <= available_cores()
    ]
    return BenchmarkGroup(candidates, item, about=f"{what} by one and by two threads.")
