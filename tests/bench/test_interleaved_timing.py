"""Contenders take turns, and the times of each are summed up."""

import time

import pytest

from ezdl_cli.bench.interleaved_timing import (
    LIMIT,
    MAX_ROUNDS,
    PEER,
    Candidate,
    Timing,
    time_interleaved,
)


class Counting:
    """A candidate that notes when it is called, and takes a while."""

    def __init__(self, calls, name, seconds=0.0, **options):
        self.calls, self.name, self.seconds = calls, name, seconds
        self.candidate = Candidate(name, self.run, prepare=self.prepare, **options)

    def prepare(self):
        self.calls.append(f"prepare {self.name}")

    def run(self):
        self.calls.append(self.name)
        time.sleep(self.seconds)


def test_contenders_take_turns_and_the_first_turn_does_not_count():
    calls, turns = [], []
    candidates = [Counting(calls, name).candidate for name in ("a", "b")]
    times = time_interleaved(candidates, n_rounds=2, advance=turns.append)
    assert calls == ["prepare a", "a", "prepare b", "b"] * 3 and turns == [1] * 3
    assert list(times) == ["a", "b"]
    assert all(0 <= one.minimum <= one.median < 1 and one.n_rounds == 2 for one in times.values())


def test_a_slow_one_sits_out_and_limits_stay_till_the_end():
    calls = []
    slow = Counting(calls, "slow", 0.02, kind=PEER)
    quick = Counting(calls, "quick")
    limit = Counting(calls, "limit", kind=LIMIT)
    times = time_interleaved([slow.candidate, quick.candidate, limit.candidate], seconds=0.01)
    assert times["slow"].n_rounds == 3
    assert 3 < times["quick"].n_rounds <= MAX_ROUNDS
    assert times["limit"].n_rounds == times["quick"].n_rounds
    # While all are in, they alternate.
    runs = [call for call in calls if not call.startswith("prepare")]
    assert runs[:9] == ["slow", "quick", "limit"] * 3


def test_a_peer_that_fails_is_left_out_and_we_are_not():
    def fail():
        raise RuntimeError("made for another version")

    candidates = [Candidate("peer", fail, kind=PEER), Candidate("ours", lambda: None)]
    assert list(time_interleaved(candidates, n_rounds=2)) == ["ours"]
    with pytest.raises(RuntimeError):
        time_interleaved([Candidate("ours", fail)], n_rounds=2)


def test_times_are_of_one_thing():
    sleeper = Counting([], "a", 0.01, n_items=100)
    (times,) = time_interleaved([sleeper.candidate], n_rounds=3).values()
    assert 1e-4 <= times.minimum <= times.median < 1e-2


def test_ratios_are_of_times_in_the_same_turn():
    pace = iter([1, *(1, 20) * 100])  # of the machine, other in each turn; the first warms up

    class Paced:
        def now(self):
            return 0.0

        def since(self, mark):
            return self.seconds

    clock = Paced()

    def first():
        clock.pace = next(pace)
        clock.seconds = 0.003 * clock.pace

    def second():
        clock.seconds = 0.001 * clock.pace

    candidates = [Candidate("a", first), Candidate("b", second, n_items=2, kind=LIMIT)]
    times = time_interleaved(candidates, n_rounds=9, clock=clock)
    assert times["a"].ratios == pytest.approx({"b": 6.0})
    assert times["a"].spread > 0.5


def test_preparation_is_not_timed():
    candidate = Candidate("a", lambda: None, prepare=lambda: time.sleep(0.05))
    (times,) = time_interleaved([candidate], n_rounds=2).values()
    assert times.minimum < 0.02


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [([3.0], (3.0, 3.0, 0.0)), ([1.0, 2.0, 3.0, 4.0, 5.0], (1.0, 3.0, 1 / 3))],
)
def test_least_median_and_spread(seconds, expected):
    times = Timing.from_rounds("a", {"a": seconds})
    assert (times.minimum, times.median, times.spread) == pytest.approx(expected)
    assert times.n_rounds == len(seconds)
