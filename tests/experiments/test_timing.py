"""Times of projections, for Fig. 5."""

import numpy as np

from ezdl_cli.experiments import timing


def test_speedup_is_the_ratio_of_times():
    table = timing.projection_speedups(range(4, 6), repeats=1)
    names = ("n", "algorithm", "seconds", "speedup")
    rows = list(zip(*(table[name] for name in names), strict=True))
    extra = table["extra_mib"]
    seconds = {(n, algorithm): value for n, algorithm, value, _ in rows}
    for n, algorithm, value, speedup in rows:
        assert speedup == seconds[n, "hoyer"] / value
        assert algorithm != "hoyer" or speedup == 1.0
    assert len(seconds) == 10
    ours = [mib for mib, name in zip(extra, table["algorithm"], strict=True) if name == "auto"]
    assert all(0.0 <= mib < 1.0 for mib in ours) and np.isnan(extra).sum() == 6


def test_algorithms_that_do_not_fit_into_memory_are_reported(monkeypatch):
    monkeypatch.setattr(timing, "_available_memory", lambda: 45 * 2**20)
    warnings = []
    table = timing.projection_speedups(range(21, 22), repeats=1, warn=warnings.append)
    assert set(table["algorithm"]) == {"auto", "newton_sqr"}
    assert len(warnings) == 3 and "2^21" in warnings[0]
