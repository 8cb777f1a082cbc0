"""Candidates take turns, and their times are summarised."""

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


class Recorder:
    """A candidate that records its calls and takes some time."""

    def __init__(self, calls, name, seconds=0.0, **options):
        self.calls, self.name, self.seconds = calls, name, seconds
        self.candidate = Candidate(name, self.run, prepare=self.prepare, **options)

    def prepare(self):
        self.calls.append(f"prepare {self.name}")

    def run(self):
        self.calls.append(self.name)
        time.sleep(self.seconds)


def test_candidates_take_turns_and_the_warm_up_round_does_not_count():
    calls, rounds = [], []
    candidates = [Recorder(calls, name).candidate for name in ("a", "b")]
    times = time_interleaved(candidates, n_rounds=2, advance=rounds.append)
    assert calls == ["prepare a", "a", "prepare b", "b"] * 3 and rounds == [1] * 3
    assert list(times) == ["a", "b"]
    assert all(0 <= one.minimum <= one.median < 1 and one.n_rounds == 2 for one in times.values())


def test_slow_candidate_finishes_early_and_limits_take_part_in_all_rounds():
    calls = []
    slow = Recorder(calls, "slow", 0.02, kind=PEER)
    quick = Recorder(calls, "quick")
    limit = Recorder(calls, "limit", kind=LIMIT)
    times = time_interleaved([slow.candidate, quick.candidate, limit.candidate], seconds=0.01)
    assert times["slow"].n_rounds == 3
    assert 3 < times["quick"].n_rounds <= MAX_ROUNDS
    assert times["limit"].n_rounds == times["quick"].n_rounds
    # Candidates alternate as long as none is finished.
    runs = [call for call in calls if not call.startswith("prepare")]
    assert runs[:9] == ["slow", "quick", "limit"] * 3


def test_failing_peer_is_left_out_and_our_failure_raises():
    def fail():
        raise RuntimeError("built for another version")

    candidates = [Candidate("peer", fail, kind=PEER), Candidate("ours", lambda: None)]
    assert list(time_interleaved(candidates, n_rounds=2)) == ["ours"]
    with pytest.raises(RuntimeError):
        time_interleaved([Candidate("ours", fail)], n_rounds=2)


def test_times_are_per_item():
    sleeper = Recorder([], "a", 0.01, n_items=100)
    (times,) = time_interleaved([sleeper.candidate], n_rounds=3).values()
    assert 1e-4 <= times.minimum <= times.median < 1e-2


def test_ratios_compare_times_of_the_same_round():
    pace = iter([1, *(1, 20) * 100])  # slowness of the machine in each round; the first warms up

    class FakeClock:
        def now(self):
            return 0.0

        def since(self, mark):
            return self.seconds

    clock = FakeClock()

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
def test_minimum_median_and_spread(seconds, expected):
    times = Timing.from_rounds("a", {"a": seconds})
    assert (times.minimum, times.median, times.spread) == pytest.approx(expected)
    assert times.n_rounds == len(seconds)
