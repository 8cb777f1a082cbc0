"""Groups are measured in worker processes, until a deadline."""

import json
import math
import subprocess
import sys
import time
from itertools import permutations

import pytest

from ezdl_cli.bench import suites
from ezdl_cli.bench.benchmark_group import BenchmarkGroup, Quality
from ezdl_cli.bench.regression_rules import QUALITY_TOLERANCES
from ezdl_cli.bench.runner import N_ATTEMPTS, BenchmarkRunner
from ezdl_cli.bench.speed_targets import SPEED_TARGETS
from ezdl_cli.platforms import available_cores

QUICK = "projection, rows of 256"
OTHER = {"kind": "peer", "median": 7.0}


def ignore(*arguments):
    pass


def test_group_is_measured_with_its_limits_even_after_a_failing_group():
    groups = BenchmarkRunner().measure(["no such group", QUICK], ignore)
    assert "no such group" in groups["no such group"]["error"]
    assert groups[QUICK]["about"].startswith("4096 vectors of 256 random numbers (float32)")
    times = groups[QUICK]["times"]
    kinds = {name: found["kind"] for name, found in times.items()}
    assert kinds == {"auto": "ours", "np.sort": "limit", "BLAS product": "limit"}
    assert all(0.0 < one["least"] <= one["median"] < 1.0 for one in times.values())
    assert all(one["turns"] >= 7 for one in times.values())
    assert times["auto"]["ratios"].keys() == {"np.sort", "BLAS product"}
    assert groups[QUICK]["qualities"]["sparseness"]["value"] > 5.0
    json.dumps(groups, allow_nan=False)


def test_deadline_stops_the_running_group_and_starts_no_other():
    start = time.monotonic()
    assert BenchmarkRunner(start + 0.3).measure([QUICK, QUICK], ignore) == {}
    assert time.monotonic() - start < 2.0


def attempt(ratio):
    """Return results in which the time of `auto` is `ratio` times that of the limit."""
    limit = {"kind": "limit", "median": 1.0}
    ours = {"kind": "ours", "median": ratio, "ratios": {"np.sort": ratio}}
    return {"times": {"auto": ours, "np.sort": limit, "other": OTHER}, "qualities": {}}


class ReplayingRunner(BenchmarkRunner):
    """A runner that returns prepared results."""

    def _measure_group(self, name):
        return self.measured.pop(0)


@pytest.mark.parametrize("attempts", [*permutations([1.0, 2.0, 3.0])])
def test_median_of_three_attempts_counts(attempts):
    assert len(attempts) == N_ATTEMPTS
    started = []
    first, *others = map(attempt, attempts)
    groups = {QUICK: first, "fine": {"times": {}}}
    runner = ReplayingRunner()
    runner.measured = others
    runner.repeat(groups, [(QUICK, "auto")], lambda _, name: started.append(name))
    assert len(started) == 2
    assert groups == {QUICK: attempt(2.0), "fine": {"times": {}}}


def test_nothing_is_repeated_without_suspects():
    groups = {QUICK: attempt(1e9)}
    BenchmarkRunner().repeat(groups, [], pytest.fail)
    assert groups == {QUICK: attempt(1e9)}


def test_group_fails_if_its_process_cannot_be_started(monkeypatch):
    monkeypatch.setattr("sys.executable", "/nowhere/python")
    assert "nowhere" in BenchmarkRunner().measure([QUICK], ignore)[QUICK]["error"]


def test_failed_group_is_repeated(monkeypatch):
    monkeypatch.setattr("ezdl_cli.bench.runner.N_ATTEMPTS", 2)
    groups = {QUICK: {"error": "no memory"}}
    BenchmarkRunner().repeat(groups, [(QUICK, "")], ignore)
    assert "error" not in groups[QUICK] and "auto" in groups[QUICK]["times"]


def test_worker_exits_when_its_standard_input_ends():
    command = [sys.executable, "-m", "ezdl_cli.bench.worker", "learned"]
    worker = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
    time.sleep(0.5)
    assert worker.poll() is None
    worker.stdin.close()
    assert worker.wait(timeout=10) == 1


def test_suites_are_nested_and_contain_all_speed_targets():
    smoke, standard, full = (set(suites.SUITES[name]) for name in ("smoke", "standard", "full"))
    assert smoke < standard < full == set(suites.GROUPS)
    assert {target.group for target in SPEED_TARGETS} <= full


@pytest.mark.parametrize("unit", QUALITY_TOLERANCES)
def test_quality_that_is_nan_is_none_in_the_history(unit):
    group = BenchmarkGroup(
        qualities=lambda: {"a": Quality(math.nan, unit), "b": Quality(0.5, unit)}, about="Nothing."
    )
    found = group.measure()["qualities"]
    assert (found["a"]["value"], found["b"]["value"]) == (None, 0.5)


def test_speed_targets_name_existing_candidates():
    for target in SPEED_TARGETS:
        if target.other in ("SPAMS", "bm3d"):  # may not be installed
            continue
        if target.name == "2 threads" and available_cores() < 2:
            continue
        group = suites.GROUPS[target.group]()
        assert group.about.endswith(".")
        names = [one.name for one in group.candidates]
        assert target.name in names and target.other in names
