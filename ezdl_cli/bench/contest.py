"""Times that can be compared: contenders take turns in one process."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from .clock import Clock

OURS, LIMIT, PEER = "ours", "limit", "peer"
SECONDS = 0.6
"""How long each contender is measured."""
FEWEST_TURNS = {OURS: 7, PEER: 3}
MOST_TURNS = 50
SHORTEST = 1e-9


@dataclass(frozen=True)
class Contender:
    """Something to measure.

    A limit is what the machine can do at best, and is always there: times are told as multiples of
    it. Peers are other programs, or other algorithms, for the same task.
    """

    name: str
    run: Callable
    count: int = 1
    """How many things a run does: times are of one of them."""
    kind: str = OURS
    prepare: Callable = lambda: None


@dataclass(frozen=True)
class Times:
    """Seconds that a contender needs for one of its things, over several turns."""

    least: float
    median: float
    spread: float
    """Half the distance of the quartiles, over the median."""
    turns: int
    ratios: dict
    """To the others by name: the median over the turns that both took part in, of which each is
    short, so that a busy machine has the same effect on both."""

    @classmethod
    def of(cls, name, measured):
        """From the seconds of all contenders in their turns, by name."""
        seconds = measured[name]
        low, median, high = np.percentile(seconds, (25, 50, 75))
        spread = float(0.5 * (high - low) / median)
        ratios = {
            other: float(np.median([a / b for a, b in zip(seconds, others, strict=False)]))
            for other, others in measured.items()
            if other != name
        }
        return cls(min(seconds), float(median), spread, len(seconds), ratios)


def contest(contenders, seconds=SECONDS, turns=None, clock=None, advance=lambda n: None):
    """Measure contenders in turns, after a first one to warm up; a peer that fails is left out.

    Parameters
    ----------
    contenders : list of Contender
    seconds : float
        One that was measured so long, and in enough turns, sits out. Limits stay till the end.
    turns : int, optional
        Exactly so many turns for all, however long they take.
    clock : Clock, optional
    advance : function, called with 1 after each turn

    Returns
    -------
    dict from name to Times
    """
    clock = clock or Clock()

    def is_in(contender):
        taken = measured[contender.name]  # all from the first turn on, without a gap
        if turns is not None:
            return len(taken) < turns
        if len(taken) < FEWEST_TURNS[contender.kind]:
            return True
        return len(taken) < MOST_TURNS and contender.count * sum(taken) < seconds

    contenders = [one for one in contenders if one.kind != PEER or _works(one)]
    _turn([one for one in contenders if one.kind != PEER], clock)
    advance(1)
    measured = {contender.name: [] for contender in contenders}
    while any(is_in(one) for one in contenders if one.kind != LIMIT):
        active = [one for one in contenders if one.kind == LIMIT or is_in(one)]
        for name, elapsed in _turn(active, clock).items():
            measured[name].append(elapsed)
        advance(1)
    return {name: Times.of(name, measured) for name in measured}


def _works(peer):
    """Whether another program can be measured; the first call warms it up."""
    try:
        peer.prepare()
        peer.run()
    except Exception:  # it is not ours: made for other versions, it can raise anything
        return False
    return True


def _turn(contenders, clock):
    """Seconds that each contender takes for one of its things, one contender after the other."""
    elapsed = {}
    for contender in contenders:
        contender.prepare()
        mark = clock.now()
        contender.run()
        elapsed[contender.name] = max(clock.since(mark), SHORTEST) / contender.count
    return elapsed
