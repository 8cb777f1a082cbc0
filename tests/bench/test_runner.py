"""Groups are measured in processes of their own, within the time that there is."""

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

QUICK = "projection, rows of 256"
OTHER = {"kind": "peer", "median": 7.0}


def nothing(*arguments):
    pass


def test_a_group_is_measured_with_limits_beside_it_also_after_one_that_fails():
    groups = BenchmarkRunner().measure(["no such group", QUICK], nothing)
    assert "no such group" in groups["no such group"]["error"]
    times = groups[QUICK]["times"]
    kinds = {name: found["kind"] for name, found in times.items()}
    assert kinds == {"auto": "ours", "np.sort": "limit", "BLAS product": "limit"}
    assert all(0.0 < one["least"] <= one["median"] < 1.0 for one in times.values())
    assert all(one["turns"] >= 7 for one in times.values())
    assert times["auto"]["ratios"].keys() == {"np.sort", "BLAS product"}
    assert groups[QUICK]["qualities"]["sparseness"]["value"] > 5.0
    json.dumps(groups, allow_nan=False)


def test_nothing_is_begun_after_the_deadline_and_what_runs_is_ended():
    start = time.monotonic()
    assert BenchmarkRunner(start + 0.3).measure([QUICK, QUICK], nothing) == {}
    assert time.monotonic() - start < 2.0


def attempt(ratio):
    """A group in which the time of `auto` is this multiple of the limit's."""
    limit = {"kind": "limit", "median": 1.0}
    ours = {"kind": "ours", "median": ratio, "ratios": {"np.sort": ratio}}
    return {"times": {"auto": ours, "np.sort": limit, "other": OTHER}, "qualities": {}}


class Prepared(BenchmarkRunner):
    """A run whose groups were measured before."""

    def _measure_group(self, name):
        return self.measured.pop(0)


@pytest.mark.parametrize("attempts", [*permutations([1.0, 2.0, 3.0])])
def test_of_three_attempts_the_one_in_the_middle_counts(attempts):
    assert len(attempts) == N_ATTEMPTS
    begun = []
    first, *others = map(attempt, attempts)
    groups = {QUICK: first, "fine": {"times": {}}}
    run = Prepared()
    run.measured = others
    run.repeat(groups, [(QUICK, "auto")], lambda _, name: begun.append(name))
    assert len(begun) == 2
    assert groups == {QUICK: attempt(2.0), "fine": {"times": {}}}


def test_without_suspicion_nothing_is_measured_again():
    groups = {QUICK: attempt(1e9)}
    BenchmarkRunner().repeat(groups, [], pytest.fail)
    assert groups == {QUICK: attempt(1e9)}


def test_a_group_of_which_no_process_can_be_made_has_failed(monkeypatch):
    monkeypatch.setattr("sys.executable", "/nowhere/python")
    assert "nowhere" in BenchmarkRunner().measure([QUICK], nothing)[QUICK]["error"]


def test_a_group_that_failed_is_tried_again(monkeypatch):
    monkeypatch.setattr("ezdl_cli.bench.runner.N_ATTEMPTS", 2)
    groups = {QUICK: {"error": "no memory"}}
    BenchmarkRunner().repeat(groups, [(QUICK, "")], nothing)
    assert "error" not in groups[QUICK] and "auto" in groups[QUICK]["times"]


def test_a_worker_ends_when_nobody_listens_any_more():
    command = [sys.executable, "-m", "ezdl_cli.bench.worker", "learned"]
    worker = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
    time.sleep(0.5)
    assert worker.poll() is None
    worker.stdin.close()
    assert worker.wait(timeout=10) == 1


def test_suites_grow_and_have_the_figures_that_are_told():
    smoke, standard, full = (set(suites.SUITES[name]) for name in ("smoke", "standard", "full"))
    assert smoke < standard < full == set(suites.GROUPS)
    assert {target.group for target in SPEED_TARGETS} <= full


@pytest.mark.parametrize("unit", QUALITY_TOLERANCES)
def test_a_quality_that_is_no_number_is_none_in_the_history(unit):
    group = BenchmarkGroup(
        qualities=lambda: {"a": Quality(math.nan, unit), "b": Quality(0.5, unit)}
    )
    found = group.measure()["qualities"]
    assert (found["a"]["value"], found["b"]["value"]) == (None, 0.5)


def test_figures_are_of_contenders_that_there_are():
    for target in SPEED_TARGETS:
        if target.other in ("SPAMS", "bm3d"):  # may not be installed
            continue
        names = [one.name for one in suites.GROUPS[target.group]().candidates]
        assert target.name in names and target.other in names
