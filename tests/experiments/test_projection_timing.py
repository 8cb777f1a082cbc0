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
        assert row["speedup"] == seconds[row["n"], row["style"], "hoyer"] / row["seconds"]
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


def test_long_runs_are_timed_twice(monkeypatch):
    monkeypatch.setattr(timing, "LONG_RUNS", 0.0)
    runs = Counter()
    algorithm = timing.Algorithm("optimised", "auto", lambda *_: runs.update(["run"]), 1)
    timing._time_in_turns([algorithm], timing._Batch(4, 0.9, 0.5, 0), repeats=5)
    assert runs["run"] == 2


def test_algorithms_that_do_not_fit_into_memory_are_reported(monkeypatch):
    monkeypatch.setattr(timing, "_available_memory", lambda: 5 * 2**20)
    warnings = []
    table = timing.projection_speedups(range(18, 19), repeats=1, warn=warnings.append)
    assert set(table["algorithm"]) == {"auto", "newton_sqr"}
    assert np.isnan(table["speedup"]).all()
    assert len(warnings) == 6 and "2^18" in warnings[0]
