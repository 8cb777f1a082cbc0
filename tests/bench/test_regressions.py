"""Regressions are found, and nothing else is reported as one."""

import re

import pytest
from helpers.bench_runs import synthetic_run, synthetic_runs

from ezdl_cli.bench.regression_rules import BASELINE_RUNS, MIN_RUNS, runs_of_newest_machine
from ezdl_cli.bench.regressions import find_regressions

BEFORE = 10


def names(runs):
    return [one.name for one in find_regressions(runs)[0]]


@pytest.mark.parametrize("noise", [0.0, 0.02, 0.03])
def test_thirty_percent_slowdown_is_found_in_the_first_run(noise):
    for seed in range(20):
        runs = [*synthetic_runs(BEFORE, noise), synthetic_run(100 + seed, slower=1.3, noise=noise)]
        (found,) = find_regressions(runs)[0]
        assert (found.group, found.name, found.since) == ("sorting", "ours", BEFORE)
        text = re.fullmatch(r"(\d+) % slower: .* times (.*), usually .*", found.text)
        assert 15 <= int(text[1]) <= 45 and text[2] in ("np.sort", "BLAS")


def test_noisy_limit_does_not_hide_a_regression_against_a_steady_one():
    runs = [synthetic_run(i, noise=0.01, BLAS=1.0 + 0.3 * (i % 3)) for i in range(BEFORE)]
    assert names([*runs, synthetic_run(99, slower=1.3, noise=0.01)]) == ["ours"]
    assert names([*runs, synthetic_run(99, noise=0.01, BLAS=0.7)]) == []


@pytest.mark.parametrize("step", [1.01, 1.03])
def test_slow_decline_is_found(step):
    runs = [synthetic_run(i, slower=step**i, noise=0.01) for i in range(80)]
    assert names(runs) == ["ours"]
    runs = [synthetic_run(i, quality=0.9 - 0.0001 * i) for i in range(80)]
    assert names(runs) == ["SSIM"]


def test_improvement_becomes_the_baseline():
    better = [synthetic_run(50 + i, slower=0.5) for i in range(BASELINE_RUNS)]
    assert names([*synthetic_runs(BEFORE), *better, synthetic_run(99, slower=0.7)]) == ["ours"]


def test_missing_quality_in_early_runs_hides_nothing():
    runs = [*(synthetic_run(i, quality=None) for i in range(3)), *synthetic_runs(BEFORE)]
    assert names([*runs, synthetic_run(99, quality=0.1)]) == ["SSIM"]
    assert names([*runs, synthetic_run(99, quality=None)]) == ["SSIM"]


def test_regression_is_reported_if_the_newest_run_does_not_measure_it():
    part = synthetic_run(99)
    del part["groups"]["sorting"]
    runs = [*synthetic_runs(BEFORE), synthetic_run(98, slower=1.5), part]
    (found,) = find_regressions(runs)[0]
    assert (found.name, found.since, found.in_newest_run) == ("ours", BEFORE, False)
    assert found.text.endswith("when it was last measured")
    runs[-1]["baseline"] = True
    assert find_regressions(runs) == ([], False)


def test_name_with_another_unit_starts_a_new_series():
    other = synthetic_run(99)
    group = other["groups"]["sorting"]
    group["qualities"] = {"ours": {"value": 3.0, "unit": "dB", "peer": None}}
    del group["times"]["ours"]
    assert find_regressions([*synthetic_runs(BEFORE), other]) == ([], False)


def test_text_states_the_size_of_the_regression():
    (found,) = find_regressions([*synthetic_runs(BEFORE, 0.0), synthetic_run(99, slower=1.3)])[0]
    assert found.text == "30 % slower: 2.6 times np.sort, usually 2"
    (found,) = find_regressions([*synthetic_runs(BEFORE, 0.0), synthetic_run(99, quality=0.85)])[0]
    assert found.text == "0.85 SSIM, usually 0.9: -0.05"


def test_unchanged_program_on_a_noisy_machine_raises_at_most_one_false_alarm():
    runs = synthetic_runs(200, 0.04)
    alarms = sum(bool(find_regressions(runs[:count])[0]) for count in range(MIN_RUNS + 1, 200, 3))
    assert alarms <= 1


@pytest.mark.parametrize("limit", ["sort", "BLAS"])
def test_faster_limit_is_not_a_regression(limit):
    assert names([*synthetic_runs(BEFORE), synthetic_run(99, **{limit: 0.5})]) == []


def test_slow_machine_is_not_a_regression():
    assert names([*synthetic_runs(BEFORE), synthetic_run(99, slower=1.6, sort=1.6, BLAS=1.6)]) == []


def test_ten_percent_slowdown_is_tolerated():
    assert names([*synthetic_runs(BEFORE, 0.0), synthetic_run(99, slower=1.1)]) == []


def test_improvement_is_not_a_regression():
    assert names([*synthetic_runs(BEFORE, 0.0), synthetic_run(99, slower=0.5, quality=0.99)]) == []


@pytest.mark.parametrize(
    ("quality", "expected"), [(0.8995, []), (0.897, ["SSIM"]), (None, ["SSIM"])]
)
def test_lower_quality_is_found(quality, expected):
    assert names([*synthetic_runs(BEFORE), synthetic_run(99, quality=quality)]) == expected


def test_quality_may_vary_as_much_as_before():
    varied = [synthetic_run(i, quality=0.9 + 0.01 * (-1) ** i) for i in range(BEFORE)]
    assert names([*varied, synthetic_run(99, quality=0.88)]) == []


def test_worse_peer_is_not_a_regression():
    late = synthetic_run(99)
    late["groups"]["sorting"]["qualities"]["theirs"]["value"] = 0.1
    late["groups"]["sorting"]["times"]["ours"]["ratios"]["SPAMS <b>"] = 100.0
    assert names([*synthetic_runs(BEFORE), late]) == []


def test_regression_is_reported_with_its_first_run_until_it_is_fixed():
    runs = [
        *synthetic_runs(BEFORE),
        *(synthetic_run(50 + i, slower=1.4, noise=0.02) for i in range(40)),
    ]
    (found,) = find_regressions(runs)[0]
    assert found.since == BEFORE
    assert names([*runs, synthetic_run(99)]) == []
    # A later regression has a first run of its own.
    (found,) = find_regressions([*runs, synthetic_run(99), synthetic_run(98, slower=1.5)])[0]
    assert found.since == len(runs) + 1


def test_new_baseline_replaces_earlier_runs():
    runs = [
        *synthetic_runs(BEFORE),
        *(synthetic_run(50 + i, slower=1.5, noise=0.02) for i in range(8)),
    ]
    runs[BEFORE]["baseline"] = True
    assert find_regressions(runs) == ([], True)
    assert names([*runs, synthetic_run(99, slower=2.1)]) == ["ours"]
    assert find_regressions(runs[: BEFORE + 1]) == ([], False)


@pytest.mark.parametrize("count", range(1, MIN_RUNS + 3))
def test_nothing_is_judged_before_the_minimum_number_of_runs(count):
    found, judged = find_regressions(
        [*synthetic_runs(count - 1, 0.0), synthetic_run(99, slower=3.0)]
    )
    assert judged == bool(found) == (count > MIN_RUNS)


def test_only_runs_on_the_same_machine_are_compared():
    other = [synthetic_run(i, slower=0.3, machine="there") for i in range(BEFORE)]
    runs = runs_of_newest_machine([*synthetic_runs(BEFORE), *other, synthetic_run(99)])
    assert len(runs) == BEFORE + 1 and find_regressions(runs) == ([], True)
    assert find_regressions(runs_of_newest_machine([*other, synthetic_run(99)])) == ([], False)


def test_newly_failing_group_is_a_regression():
    failed = synthetic_run(99)
    failed["groups"]["sorting"] = {"error": "no module"}
    (found,) = find_regressions([*synthetic_runs(BEFORE), failed, failed])[0]
    assert found.title == "sorting" and found.text == "failed: no module"
    assert found.since == BEFORE
    assert find_regressions([failed, failed]) == ([], False)


def test_benchmark_missing_in_the_newest_run_is_not_judged():
    late = synthetic_run(99)
    del late["groups"]["sorting"]
    assert find_regressions([*synthetic_runs(BEFORE), late]) == ([], False)
