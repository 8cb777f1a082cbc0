"""Contenders take turns, and the times of each are summed up."""

import time

import pytest

from ezdl_cli.bench.contest import LIMIT, MOST_TURNS, PEER, Contender, Times, contest


class Counting:
    """A contender that notes when it is called, and takes a while."""

    def __init__(self, calls, name, seconds=0.0, **options):
        self.calls, self.name, self.seconds = calls, name, seconds
        self.contender = Contender(name, self.run, prepare=self.prepare, **options)

    def prepare(self):
        self.calls.append(f"prepare {self.name}")

    def run(self):
        self.calls.append(self.name)
        time.sleep(self.seconds)


def test_contenders_take_turns_and_the_first_turn_does_not_count():
    calls, turns = [], []
    contenders = [Counting(calls, name).contender for name in ("a", "b")]
    times = contest(contenders, turns=2, advance=turns.append)
    assert calls == ["prepare a", "a", "prepare b", "b"] * 3 and turns == [1] * 3
    assert list(times) == ["a", "b"]
    assert all(0 <= one.least <= one.median < 1 and one.turns == 2 for one in times.values())


def test_a_slow_one_sits_out_and_limits_stay_till_the_end():
    calls = []
    slow = Counting(calls, "slow", 0.02, kind=PEER)
    quick = Counting(calls, "quick")
    limit = Counting(calls, "limit", kind=LIMIT)
    times = contest([slow.contender, quick.contender, limit.contender], seconds=0.01)
    assert times["slow"].turns == 3
    assert 3 < times["quick"].turns <= MOST_TURNS
    assert times["limit"].turns == times["quick"].turns
    # While all are in, they alternate.
    runs = [call for call in calls if not call.startswith("prepare")]
    assert runs[:9] == ["slow", "quick", "limit"] * 3


def test_a_peer_that_fails_is_left_out_and_we_are_not():
    def fail():
        raise RuntimeError("made for another version")

    contenders = [Contender("peer", fail, kind=PEER), Contender("ours", lambda: None)]
    assert list(contest(contenders, turns=2)) == ["ours"]
    with pytest.raises(RuntimeError):
        contest([Contender("ours", fail)], turns=2)


def test_times_are_of_one_thing():
    sleeper = Counting([], "a", 0.01, count=100)
    (times,) = contest([sleeper.contender], turns=3).values()
    assert 1e-4 <= times.least <= times.median < 1e-2


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

    contenders = [Contender("a", first), Contender("b", second, count=2, kind=LIMIT)]
    times = contest(contenders, turns=9, clock=clock)
    assert times["a"].ratios == pytest.approx({"b": 6.0})
    assert times["a"].spread > 0.5


def test_preparation_is_not_timed():
    contender = Contender("a", lambda: None, prepare=lambda: time.sleep(0.05))
    (times,) = contest([contender], turns=2).values()
    assert times.least < 0.02


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [([3.0], (3.0, 3.0, 0.0)), ([1.0, 2.0, 3.0, 4.0, 5.0], (1.0, 3.0, 1 / 3))],
)
def test_least_median_and_spread(seconds, expected):
    times = Times.of("a", {"a": seconds})
    assert (times.least, times.median, times.spread) == pytest.approx(expected)
    assert times.turns == len(seconds)
