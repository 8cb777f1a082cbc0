"""Which steps are done, in progress or left."""

from ezdl_cli.workflow.run_view.run_state import PlannedStep, RunState

TRAIN = PlannedStep("train", 1, 20.0)
SAID = PlannedStep("train", 2)


def start(state, job, name, now):
    state.start(job, name, f"Training {name}", SAID, None, now)


def test_steps_that_were_up_to_date_count_as_done():
    state = RunState("", 2, 0.0)
    state.plan("quick", {"a": TRAIN, "b": TRAIN}, 128)
    assert (state.n_up_to_date, state.n_done, state.n_steps) == (128, 128, 130)
    start(state, 7, "a", 10.0)
    assert list(state.pending) == ["b"] and state.n_done == 128
    done = state.finish(7, 12.5)
    assert (done.title, done.seconds) == ("Training a", 2.5)
    # The number of threads is the actual one, the expected time that of the plan.
    assert done.plan == PlannedStep("train", 2, 20.0)
    assert state.n_done == 129 and not state.running


def test_failed_steps_are_not_done():
    state = RunState("", 2, 0.0)
    state.plan("quick", {"a": TRAIN}, 0)
    start(state, 7, "a", 10.0)
    failed = state.fail(7, "ezdl train", 11.0)
    assert failed.command == "ezdl train" and state.failed == [failed]
    assert state.n_done == 0


def test_jobs_that_are_no_steps_are_ignored():
    state = RunState("", 2, 0.0)
    assert state.finish(1, 0.0) is None and state.fail(1, "", 0.0) is None
    assert state.n_done == 0 and not state.failed


def test_without_a_plan_the_steps_to_run_are_counted():
    state = RunState("", 2, 0.0)
    state.count(3)
    assert (state.n_steps, state.n_up_to_date) == (3, 0)
    start(state, 1, "", 0.0)
    state.finish(1, 1.0)
    assert state.n_done == 1
    planned = RunState("", 2, 0.0)
    planned.plan("quick", {"a": TRAIN}, 4)
    planned.count(1)
    assert planned.n_steps == 5
