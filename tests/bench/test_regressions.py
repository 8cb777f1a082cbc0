"""What is worse is found, and nothing else is called worse."""

import re

import pytest
from helpers.bench_runs import made_up, series

from ezdl_cli.bench.regression_rules import BASELINE_RUNS, MIN_RUNS, runs_of_newest_machine
from ezdl_cli.bench.regressions import find_regressions

BEFORE = 10


def names(runs):
    return [one.name for one in find_regressions(runs)[0]]


@pytest.mark.parametrize("noise", [0.0, 0.02, 0.03])
def test_thirty_percent_slower_is_found_at_once(noise):
    for seed in range(20):
        runs = [*series(BEFORE, noise), made_up(100 + seed, slower=1.3, noise=noise)]
        (found,) = find_regressions(runs)[0]
        assert (found.group, found.name, found.since) == ("sorting", "ours", BEFORE)
        text = re.fullmatch(r"(\d+) % slower: .* times (.*), usually .*", found.text)
        assert 15 <= int(text[1]) <= 45 and text[2] in ("np.sort", "BLAS")


def test_a_limit_that_is_noisy_does_not_hide_what_a_steady_one_shows():
    runs = [made_up(i, noise=0.01, BLAS=1.0 + 0.3 * (i % 3)) for i in range(BEFORE)]
    assert names([*runs, made_up(99, slower=1.3, noise=0.01)]) == ["ours"]
    assert names([*runs, made_up(99, noise=0.01, BLAS=0.7)]) == []


@pytest.mark.parametrize("step", [1.01, 1.03])
def test_a_slow_decline_is_told(step):
    runs = [made_up(i, slower=step**i, noise=0.01) for i in range(80)]
    assert names(runs) == ["ours"]
    runs = [made_up(i, quality=0.9 - 0.0001 * i) for i in range(80)]
    assert names(runs) == ["SSIM"]


def test_what_has_become_better_is_usual_from_then_on():
    better = [made_up(50 + i, slower=0.5) for i in range(BASELINE_RUNS)]
    assert names([*series(BEFORE), *better, made_up(99, slower=0.7)]) == ["ours"]


def test_a_quality_that_was_no_number_at_first_hides_nothing():
    runs = [*(made_up(i, quality=None) for i in range(3)), *series(BEFORE)]
    assert names([*runs, made_up(99, quality=0.1)]) == ["SSIM"]
    assert names([*runs, made_up(99, quality=None)]) == ["SSIM"]


def test_a_regression_is_told_also_when_the_newest_run_does_not_have_it():
    part = made_up(99)
    del part["groups"]["sorting"]
    runs = [*series(BEFORE), made_up(98, slower=1.5), part]
    (found,) = find_regressions(runs)[0]
    assert (found.name, found.since, found.in_newest_run) == ("ours", BEFORE, False)
    assert found.text.endswith("when it was last measured")
    runs[-1]["baseline"] = True
    assert find_regressions(runs) == ([], False)


def test_a_name_that_gets_another_meaning_begins_anew():
    other = made_up(99)
    group = other["groups"]["sorting"]
    group["qualities"] = {"ours": {"value": 3.0, "unit": "dB", "peer": None}}
    del group["times"]["ours"]
    assert find_regressions([*series(BEFORE), other]) == ([], False)


def test_the_text_says_by_how_much():
    (found,) = find_regressions([*series(BEFORE, 0.0), made_up(99, slower=1.3)])[0]
    assert found.text == "30 % slower: 2.6 times np.sort, usually 2"
    (found,) = find_regressions([*series(BEFORE, 0.0), made_up(99, quality=0.85)])[0]
    assert found.text == "0.85 SSIM, usually 0.9: -0.05"


def test_an_unchanged_program_on_a_noisy_machine_raises_hardly_any_alarm():
    runs = series(200, 0.04)
    alarms = sum(bool(find_regressions(runs[:count])[0]) for count in range(MIN_RUNS + 1, 200, 3))
    assert alarms <= 1


@pytest.mark.parametrize("limit", ["sort", "BLAS"])
def test_a_limit_that_was_faster_than_usual_is_no_regression(limit):
    assert names([*series(BEFORE), made_up(99, **{limit: 0.5})]) == []


def test_all_limits_slower_and_we_as_well_is_a_slow_machine():
    assert names([*series(BEFORE), made_up(99, slower=1.6, sort=1.6, BLAS=1.6)]) == []


def test_ten_percent_are_noise():
    assert names([*series(BEFORE, 0.0), made_up(99, slower=1.1)]) == []


def test_faster_and_better_is_fine():
    assert names([*series(BEFORE, 0.0), made_up(99, slower=0.5, quality=0.99)]) == []


@pytest.mark.parametrize(
    ("quality", "expected"), [(0.8995, []), (0.897, ["SSIM"]), (None, ["SSIM"])]
)
def test_a_worse_result_is_found(quality, expected):
    assert names([*series(BEFORE), made_up(99, quality=quality)]) == expected


def test_what_varies_by_itself_may_vary():
    varied = [made_up(i, quality=0.9 + 0.01 * (-1) ** i) for i in range(BEFORE)]
    assert names([*varied, made_up(99, quality=0.88)]) == []


def test_a_peer_that_is_worse_is_no_matter_of_ours():
    late = made_up(99)
    late["groups"]["sorting"]["qualities"]["theirs"]["value"] = 0.1
    late["groups"]["sorting"]["times"]["ours"]["ratios"]["SPAMS <b>"] = 100.0
    assert names([*series(BEFORE), late]) == []


def test_a_regression_is_told_till_it_is_mended_with_its_beginning():
    runs = [*series(BEFORE), *(made_up(50 + i, slower=1.4, noise=0.02) for i in range(40))]
    (found,) = find_regressions(runs)[0]
    assert found.since == BEFORE
    assert names([*runs, made_up(99)]) == []
    # After it was mended, a new one has a beginning of its own.
    (found,) = find_regressions([*runs, made_up(99), made_up(98, slower=1.5)])[0]
    assert found.since == len(runs) + 1


def test_a_new_baseline_makes_the_present_usual():
    runs = [*series(BEFORE), *(made_up(50 + i, slower=1.5, noise=0.02) for i in range(8))]
    runs[BEFORE]["baseline"] = True
    assert find_regressions(runs) == ([], True)
    assert names([*runs, made_up(99, slower=2.1)]) == ["ours"]
    assert find_regressions(runs[: BEFORE + 1]) == ([], False)


@pytest.mark.parametrize("count", range(1, MIN_RUNS + 3))
def test_some_runs_are_needed_before_anything_is_judged(count):
    found, judged = find_regressions([*series(count - 1, 0.0), made_up(99, slower=3.0)])
    assert judged == bool(found) == (count > MIN_RUNS)


def test_only_runs_of_the_same_machine_are_compared():
    other = [made_up(i, slower=0.3, machine="there") for i in range(BEFORE)]
    runs = runs_of_newest_machine([*series(BEFORE), *other, made_up(99)])
    assert len(runs) == BEFORE + 1 and find_regressions(runs) == ([], True)
    assert find_regressions(runs_of_newest_machine([*other, made_up(99)])) == ([], False)


def test_a_group_that_fails_is_a_regression_if_it_did_not_before():
    failed = made_up(99)
    failed["groups"]["sorting"] = {"error": "no module"}
    (found,) = find_regressions([*series(BEFORE), failed, failed])[0]
    assert found.title == "sorting" and found.text == "failed: no module"
    assert found.since == BEFORE
    assert find_regressions([failed, failed]) == ([], False)


def test_what_was_not_measured_this_time_is_not_judged():
    late = made_up(99)
    del late["groups"]["sorting"]
    assert find_regressions([*series(BEFORE), late]) == ([], False)
