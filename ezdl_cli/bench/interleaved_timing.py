"""Interleaved timing: candidates take turns in one process, so that their times can be compared."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from .clock import Clock

# Kinds of candidates. A limit is a basic operation (copying, sorting, matrix products) that bounds
# what the machine can do; a peer is another program or algorithm for the same task.
OURS, LIMIT, PEER = "ours", "limit", "peer"
SECONDS = 0.6
"""Measuring time per candidate; the smoke suite takes 40 s with it."""
MIN_ROUNDS = {OURS: 7, PEER: 3}
MAX_ROUNDS = 50
SHORTEST = 1e-9
"""Resolution of the clock in seconds; keeps ratios finite."""


@dataclass(frozen=True)
class Candidate:
    """A function to time."""

    name: str
    run: Callable
    n_items: int = 1
    """Number of items (samples, vectors, …) that one call processes: times are per item."""
    kind: str = OURS
    prepare: Callable = lambda: None
    """Called before each run; not timed."""


@dataclass(frozen=True)
class Timing:
    """Seconds per item of one candidate, over several rounds."""

    minimum: float
    median: float
    spread: float
    """Half the interquartile range, divided by the median."""
    n_rounds: int
    ratios: dict
    """Ratio of the time to that of each other candidate, by name: the median over all rounds that
    both took part in. A round is short, so that a busy machine slows down both."""

    @classmethod
    def from_rounds(cls, name, rounds):
        """Summarise the seconds of all candidates in each round, by name."""
        seconds = rounds[name]
        low, median, high = np.percentile(seconds, (25, 50, 75))
        spread = float(0.5 * (high - low) / median)
        ratios = {
            other: float(np.median([a / b for a, b in zip(seconds, others, strict=False)]))
            for other, others in rounds.items()
            if other != name
        }
        return cls(min(seconds), float(median), spread, len(seconds), ratios)


def time_interleaved(
    candidates, seconds=SECONDS, n_rounds=None, clock=None, advance=lambda n: None
):
    """Time candidates in rounds, one after the other in each round.

    The first round warms up and does not count. A peer that fails in it is left out.

    Parameters
    ----------
    candidates : list of Candidate
    seconds : float
        A candidate that was measured for so long, in at least `MIN_ROUNDS` rounds, is finished.
        Limits take part in all rounds.
    n_rounds : int, optional
        Number of rounds for all candidates, however long they take.
    clock : Clock, optional
    advance : callable
        Called with 1 after each round, the first included.

    Returns
    -------
    dict from name to Timing
    """
    clock = clock or Clock()

    def is_unfinished(candidate):
        measured = rounds[candidate.name]
        if n_rounds is not None:
            return len(measured) < n_rounds
        if len(measured) < MIN_ROUNDS[candidate.kind]:
            return True
        return len(measured) < MAX_ROUNDS and candidate.n_items * sum(measured) < seconds

    candidates = [one for one in candidates if one.kind != PEER or _works(one)]
    _time_round([one for one in candidates if one.kind != PEER], clock)
    advance(1)
    rounds = {candidate.name: [] for candidate in candidates}
    while any(is_unfinished(one) for one in candidates if one.kind != LIMIT):
        active = [one for one in candidates if one.kind == LIMIT or is_unfinished(one)]
        for name, elapsed in _time_round(active, clock).items():
            rounds[name].append(elapsed)
        advance(1)
    return {name: Timing.from_rounds(name, rounds) for name in rounds}


def _works(peer):
    """Whether a peer runs without an error; this call is also its warm-up."""
    try:
        peer.prepare()
        peer.run()
    except Exception:  # third-party code, perhaps built for other versions, can raise anything
        return False
    return True


def _time_round(candidates, clock):
    """Seconds per item of each candidate, by name."""
    elapsed = {}
    for candidate in candidates:
        candidate.prepare()
        mark = clock.now()
        candidate.run()
        elapsed[candidate.name] = max(clock.since(mark), SHORTEST) / candidate.n_items
    return elapsed
