"""Time left, from earlier step times and the pace of the run."""

import pytest

from ezdl_cli.workflow.progress_lines import StepProgress
from ezdl_cli.workflow.run_view.run_state import PlannedStep, RunState
from ezdl_cli.workflow.run_view.time_left import paces, step_times_left, time_left


def run_of(expected, cores=2, rule="train"):
    state = RunState("", cores, 0.0)
    plan = {str(i): PlannedStep(rule, 1, seconds) for i, seconds in enumerate(expected)}
    state.plan("quick", plan, 0)
    return state


def start(state, name, now=0.0):
    state.start(int(name), name, "", state.pending[name], None, now)


def finish(state, name, seconds):
    start(state, name)
    state.finish(int(name), seconds)


def test_steps_share_the_cores():
    assert time_left(run_of([30.0, 30.0]), 0.0) == 30.0
    assert time_left(run_of([30.0, 30.0], cores=1), 0.0) == 60.0
    assert time_left(run_of([30.0, 10.0], cores=64), 0.0) == 30.0
    assert time_left(run_of([]), 0.0) == 0.0


def test_steps_in_progress_count_with_the_rest_of_their_time():
    state = run_of([30.0, 30.0], cores=1)
    start(state, "0")
    assert time_left(state, 10.0) == 50.0
    assert time_left(state, 40.0) == 30.0  # it takes longer than expected


def test_progress_of_a_step_counts_more_than_its_expected_time():
    state = run_of([30.0], cores=1)
    start(state, "0")
    state.running[0].progress = StepProgress("", 1, 4)
    assert time_left(state, 100.0) == 300.0
    state.running[0].progress = StepProgress("", 1, 100)  # too early
    assert step_times_left(state, state.running.values(), 10.0) == [20.0]


def test_pace_of_the_run_corrects_the_estimates():
    state = run_of([300.0, 100.0], cores=1)
    finish(state, "0", 600.0)
    # Estimates count as confirmed for 30 s.
    overall = (600 + 30) / (300 + 30)
    assert paces(state, 600.0)[None] == pytest.approx(overall)
    of_rule = (600 + 30 * overall) / (300 + 30)
    assert time_left(state, 600.0) == pytest.approx(100 * of_rule)
    state.pending["1"] = PlannedStep("other", 1, 100.0)
    assert time_left(state, 600.0) == pytest.approx(100 * overall)


def test_progress_corrects_the_estimates_of_steps_that_have_not_started():
    state = run_of([1000.0, 1000.0], cores=1)
    start(state, "0")
    state.running[0].progress = StepProgress("", 1, 2)
    left = time_left(state, 50.0)
    assert 50.0 + 100.0 < left < 50.0 + 200.0


def test_short_steps_change_the_pace_little():
    state = run_of([1.0], cores=1)
    assert paces(state, 0.0) == {None: 1.0}
    finish(state, "0", 3.0)
    assert all(1.0 < pace < 1.15 for pace in paces(state, 3.0).values())


def test_without_estimates_the_time_is_unknown_until_some_steps_are_finished():
    state = run_of([None] * 8, cores=1)
    state.pending["7"] = PlannedStep("other", 1)
    assert time_left(state, 0.0) is None
    for name in "0123":
        finish(state, name, 4.0)
    assert time_left(state, 16.0) is None  # nothing is known about the other rule
    finish(state, "4", 4.0)
    assert time_left(state, 20.0) == 12.0


def test_steps_that_are_only_counted_take_as_long_as_those_before():
    state = RunState("", 1, 0.0)
    state.count(10)
    step = PlannedStep("train", 1)
    for job in range(5):
        state.start(job, "", "", step, None, 0.0)
        state.finish(job, 2.0)
    assert time_left(state, 10.0) == 10.0


def test_failed_steps_are_not_waited_for():
    state = run_of([30.0, 30.0], cores=1)
    start(state, "0")
    state.fail(0, "", 1.0)
    assert time_left(state, 1.0) == 30.0
