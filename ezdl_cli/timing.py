"""Times that can be compared: contenders take turns, and the least time of each counts."""

import time

import numpy as np


def least_times(contenders, repeats, advance=None):
    """Least seconds of each (prepare, run) pair, taking turns; the first turn warms up.

    `advance(1)` is called after each turn.
    """
    times = dict.fromkeys(contenders, np.inf)
    for turn in range(repeats + 1):
        for name, (prepare, run) in contenders.items():
            prepare()
            start = time.perf_counter()
            run()
            elapsed = time.perf_counter() - start
            if turn > 0:
                times[name] = min(times[name], elapsed)
        if advance:
            advance(1)
    return times
