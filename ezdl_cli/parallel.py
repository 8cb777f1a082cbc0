"""Map a function over items in threads, with results in order; limit BLAS to one thread."""

import os
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import cache
from threading import Lock


def available_cores():
    """Return the number of cores that this process is bound to, by default all."""
    bound = hasattr(os, "sched_getaffinity")
    return len(os.sched_getaffinity(0)) if bound else os.cpu_count() or 1


def cores():
    """Return the number of threads to use: one per available core, or `EZDL_THREADS` if fewer."""
    available, wanted = available_cores(), os.environ.get("EZDL_THREADS", "")
    known = wanted.isdecimal() and len(wanted) < 10
    return max(1, min(available, int(wanted))) if known else available


def in_order(function, items):
    """Yield the results of `function` for each item, computed by threads, in the order of items.

    A few items are read ahead. An exception of a call is raised when its result is due; running
    calls are then completed, the others are not started. Use it as a context manager.
    """
    return closing(_results(function, items))


def _results(function, items):
    pending = deque()
    workers = cores()
    if workers == 1:
        yield from map(function, items)
        return
    with ThreadPoolExecutor(workers) as pool:
        try:
            for item in items:
                pending.append(pool.submit(function, item))
                if len(pending) > workers:
                    yield pending.popleft().result()
            while pending:
                yield pending.popleft().result()
        finally:
            for future in pending:
                future.cancel()


class _SingleThreadedBlas:
    """Context manager that limits BLAS to one thread: its rounding depends on their number.

    The limit holds for the process, until the last of several threads leaves. Entering takes 10 µs,
    the first time 2 ms: place it around a function, not in a loop.
    """

    def __init__(self):
        self._lock, self._n_users, self._limiter = Lock(), 0, None

    def __enter__(self):
        with self._lock:
            if self._n_users == 0:
                self._limiter = _blas_controller().limit(limits=1, user_api="blas")
            self._n_users += 1

    def __exit__(self, *_):
        with self._lock:
            self._n_users -= 1
            if self._n_users == 0:
                self._limiter.restore_original_limits()


single_threaded_blas = _SingleThreadedBlas()


@cache
def _blas_controller():
    """Return the controller of NumPy's BLAS, which the caller has loaded."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()
