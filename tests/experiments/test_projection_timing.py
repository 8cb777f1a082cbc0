"""Times of projections, for Fig. 5."""

from collections import Counter

import numpy as np
import pytest

from ezdl_cli.experiments import projection_timing as timing


def rows_of(table):
    return [dict(zip(table, row, strict=True)) for row in zip(*table.values(), strict=True)]


@pytest.fixture(scope="module")
def rows():
    return rows_of(timing.projection_speedups(range(4, 6), repeats=1))


def test_speedup_is_the_ratio_of_times_within_a_style(rows):
    seconds = {(row["n"], row["style"], row["algorithm"]): row["seconds"] for row in rows}
    assert len(seconds) == len(rows) == 18
    for row in rows:
        ratio = seconds[row["n"], row["style"], "hoyer"] / row["seconds"]
        assert row["speedup"] == pytest.approx(ratio)
        assert row["algorithm"] != "hoyer" or row["speedup"] == 1.0
    assert Counter(row["style"] for row in rows) == {"optimised": 10, "as published": 8}


def test_extra_memory_is_measured_for_algorithms_that_need_no_vector(rows):
    extra = [row["extra_mib"] for row in rows if row["algorithm"] in ("auto", "newton_sqr")]
    assert all(0.0 <= mib < 1.0 for mib in extra)
    assert sum(np.isnan(row["extra_mib"]) for row in rows) == 12


def test_passes_are_those_of_the_paper_and_do_not_depend_on_the_style(rows):
    for n in (16, 32):
        counted = {
            row["style"]: row["passes"] for row in rows if row["n"] == n and row["passes"] > 0
        }
        assert counted["optimised"] == pytest.approx(counted["as published"], rel=1e-2)
        assert 3.0 < counted["optimised"] < 7.0
    assert all(np.isnan(row["passes"]) for row in rows if row["algorithm"] != "newton_sqr")


def test_batches_are_the_same_whether_kept_or_drawn_again(monkeypatch):
    kept = timing._Batch(8, 0.9, 0.5, 3)
    monkeypatch.setattr(timing, "KEPT_ENTRIES", 0)
    drawn = timing._Batch(8, 0.9, 0.5, 3)
    expected = kept.rows.copy()
    for batch in (kept, drawn):
        batch.rows[:] = 0.0
        batch.restore()
        np.testing.assert_array_equal(batch.rows, expected)


class FakeClock:
    """A clock on which runs take the given seconds, one after the other."""

    def __init__(self, seconds):
        self._seconds = iter(seconds)

    def now(self):
        return None

    def since(self, mark):
        return next(self._seconds)


def time_in_turns(monkeypatch, names, seconds, repeats):
    monkeypatch.setattr(timing, "Clock", lambda: FakeClock(seconds))
    algorithms = [timing.Algorithm("optimised", name, lambda *_: None, 1) for name in names]
    return timing._time_in_turns(algorithms, timing._Batch(4, 0.9, 0.5, 0), repeats)


def test_speedup_is_not_affected_by_a_load_that_slows_down_whole_rounds(monkeypatch):
    loads = (1.0, 7.0, 1.0, 3.0, 2.0)
    seconds = [load * own for load in loads for own in (0.04, 0.02)]
    timings = time_in_turns(monkeypatch, ("hoyer", "auto"), seconds, repeats=5)
    assert timings["optimised", "hoyer"].ratios["optimised", "auto"] == pytest.approx(2.0)


def test_an_interruption_of_a_single_run_does_not_count(monkeypatch):
    seconds = [0.04, 0.02] * 2 + [0.04, 9.0] + [0.04] * 2
    timings = time_in_turns(monkeypatch, ("hoyer", "auto"), seconds, repeats=5)
    assert timings["optimised", "hoyer"].ratios["optimised", "auto"] == pytest.approx(2.0)


@pytest.mark.parametrize(("seconds", "n_rounds"), [(1.0, 3), (0.02, 5), (0.002, 10), (1e-6, 25)])
def test_short_algorithms_take_part_in_more_rounds(monkeypatch, seconds, n_rounds):
    timings = time_in_turns(monkeypatch, ("auto",), [seconds] * 100, repeats=5)
    assert timings["optimised", "auto"].n_rounds in (n_rounds, n_rounds + 1)  # sums are rounded


def test_algorithms_that_do_not_fit_into_memory_are_reported(monkeypatch):
    monkeypatch.setattr(timing, "available_memory", lambda: 5 * 2**20)
    warnings = []
    table = timing.projection_speedups(range(18, 19), repeats=1, warn=warnings.append)
    assert set(table["algorithm"]) == {"auto", "newton_sqr"}
    assert np.isnan(table["speedup"]).all()
    assert len(warnings) == 6 and "2^18" in warnings[0]
