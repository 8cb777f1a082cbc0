"""Call functions in threads, with or without results; limit BLAS to one thread."""

import os
import sys
from collections import deque
from collections.abc import Sized
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import closing
from functools import cache
from threading import Lock, local

from .platforms import after_fork, available_cores

_thread = local()


def cores():
    """Return the number of threads to use: one per available core, or `EZDL_THREADS` if fewer.

    In a thread of this module it is one: the other cores have threads of their own.
    """
    if getattr(_thread, "is_worker", False):
        return 1
    available, wanted = available_cores(), os.environ.get("EZDL_THREADS", "")
    known = wanted.isdecimal() and len(wanted) < 10
    return max(1, min(available, int(wanted))) if known else available


def in_order(function, items):
    """Yield the results of `function` for each item, computed by threads, in the order of items.

    A few items are read ahead. An exception of a call is raised when its result is due; running
    calls are then completed, the others are not started. Use it as a context manager. A single item
    is left to the calling thread, which may use further threads for parts of it.
    """
    return closing(_results(function, items))


def _results(function, items):
    pending = deque()
    workers = cores()
    if workers == 1 or (isinstance(items, Sized) and len(items) < 2):
        yield from map(function, items)
        return
    with ThreadPoolExecutor(workers, initializer=_mark_as_worker) as pool:
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


def for_each(function, items):
    """Call `function` with each item, in threads. Nothing is returned; exceptions propagate.

    The calling thread takes part, and a single item is left to it, so that little work costs
    little. After an exception, calls that have not started yet are left out.
    """
    pending = deque(items)

    def work():
        try:
            while True:
                try:
                    item = pending.popleft()
                except IndexError:
                    return
                function(item)
        except BaseException:
            pending.clear()
            raise

    n_helpers = min(cores(), len(pending)) - 1 if len(pending) > 1 else 0
    helpers = [_pool().submit(work) for _ in range(n_helpers)]
    try:
        work()
    finally:
        # A helper that has not started is not needed: waiting for it could last forever, if all
        # threads of the pool wait likewise.
        running = [helper for helper in helpers if not helper.cancel()]
        wait(running)
    for helper in running:
        helper.result()


def for_each_part(function, n_rows, part_rows):
    """Call `function` for slices of at most `part_rows` rows, in threads.

    The slices do not depend on the number of threads.
    """
    for_each(function, [slice(i, i + part_rows) for i in range(0, n_rows, part_rows)])


@cache
def _pool():
    """Return the threads that help in `for_each`; starting them takes longer than waking them."""
    return ThreadPoolExecutor(available_cores(), "for_each", initializer=_mark_as_worker)


def _mark_as_worker():
    _thread.is_worker = True


after_fork(_pool.cache_clear)  # threads do not survive it


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
                controller = _blas_controller("scipy.linalg" in sys.modules)
                self._limiter = controller.limit(limits=1, user_api="blas")
            self._n_users += 1

    def __exit__(self, *_):
        with self._lock:
            self._n_users -= 1
            if self._n_users == 0:
                self._limiter.restore_original_limits()


single_threaded_blas = _SingleThreadedBlas()


@cache
def _blas_controller(is_scipy_loaded):
    """Return the controller of NumPy's BLAS, and of SciPy's own if that is loaded."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()
