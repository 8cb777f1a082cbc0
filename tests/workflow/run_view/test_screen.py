"""The drawing of the live view at any size."""

import io

import pytest
from rich.cells import cell_len
from rich.console import Console

from ezdl_cli.workflow.progress_lines import StepProgress
from ezdl_cli.workflow.run_view.run_state import PlannedStep, RunState
from ezdl_cli.workflow.run_view.screen import draw, shorten_middle

SIZES = [(80, 24), (120, 40), (100, 7), (60, 15), (30, 5), (200, 60), (12, 3), (1, 1)]


def run_with(n_running, n_done, n_before=0, title="Training ezdl-0.99-step-0.0625, seed"):
    state = RunState("quick", 2, 1000.0)
    step = PlannedStep("train", 1, 20.0)
    n_steps = n_running + n_done
    state.plan("quick", dict.fromkeys(map(str, range(n_steps)), step), n_before)
    for job in range(n_steps):
        state.start(job, str(job), f"{title} {job}", step, None, 1000.0)
        if job < n_done:
            state.finish(job, 1000.0 + 50 * job)
    return state


def lines_of(state, width, height, ascii_only=False):
    """Return the lines as they are drawn, filled with spaces."""
    console = Console(file=io.StringIO(), width=width, height=height, force_terminal=True)
    rows = console.render_lines(draw(state, 1090.0, width, height, ascii_only))
    return ["".join(segment.text for segment in row) for row in rows]


@pytest.mark.parametrize(("width", "height"), SIZES)
@pytest.mark.parametrize(("n_running", "n_done"), [(0, 0), (2, 0), (0, 3), (2, 40), (64, 40)])
@pytest.mark.parametrize("title", ["Training", "写真を縮小する" * 9])
def test_view_fits_any_terminal(width, height, n_running, n_done, title):
    lines = lines_of(run_with(n_running, n_done, title=title), width, height)
    assert len(lines) <= max(2, height - 1)
    assert max(map(cell_len, lines)) <= width
    assert not lines[-1].strip()


def test_view_shows_progress_steps_and_times():
    state = run_with(2, 3, n_before=10)
    state.running[3].progress = StepProgress("", 45, 100)
    header, bar, _, running, first, second, _, done, *finished = lines_of(state, 80, 24)
    assert header.startswith("results/quick, 2 cores  ")
    assert header.endswith("13 of 15 steps in 1 min 30 s, about 2 min left")
    assert len(bar) == 80
    assert running.split() == ["Running", "time", "left"]
    assert first.split()[-8:] == ["45", "%", "1", "min", "30", "s", "2", "min"]
    assert second.rstrip().endswith("1 min 30 s")
    assert done.startswith("Done (10 up to date before)")
    assert [line.split()[3] for line in finished if line.strip()] == ["2", "1", "0"]


def test_steps_that_do_not_fit_are_counted():
    lines = lines_of(run_with(64, 40), 80, 12)
    assert "  and 59 more" in [line.rstrip() for line in lines]
    assert not any(line.startswith("Done") for line in lines)


def test_wide_terminals_show_a_bar_for_each_step():
    state = run_with(2, 0)
    state.running[0].progress = StepProgress("", 1, 2)
    narrow, wide = (sum("━" in line for line in lines_of(state, width, 24)) for width in (80, 120))
    assert (narrow, wide) == (1, 2)


def test_status_tells_what_the_run_waits_for():
    planning = RunState("quick", 2, 1000.0)
    assert lines_of(planning, 80, 24)[0].endswith("planning the steps, 1 min 30 s")
    state = run_with(2, 1)
    state.signals = {2}
    assert lines_of(state, 80, 24)[0].endswith("stopping after 2 more")
    state = run_with(2, 1)
    state.fail(2, "", 1001.0)
    assert "(1 failed)" in lines_of(state, 80, 24)[0]
    assert lines_of(state, 80, 24)[0].endswith("stopping after 1 more")
    state.keep_going = True
    assert lines_of(state, 80, 24)[0].endswith("left")
    unknown = RunState("quick", 2, 1000.0)
    unknown.count(3)
    assert lines_of(unknown, 80, 24)[0].endswith("0 of 3 steps in 1 min 30 s, time left unknown")


def test_terminals_without_unicode_get_ascii():
    state = run_with(2, 5, title="Training " + "a-" * 50)
    stream = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    console = Console(file=stream, width=80, height=24, force_terminal=False)
    console.print(draw(state, 1090.0, 80, 24, ascii_only=True))
    stream.flush()  # raises an error if a character cannot be encoded
    assert b"..." in stream.buffer.getvalue()


@pytest.mark.parametrize("width", [3, 10, 29, 60, 100])
def test_titles_keep_their_end(width):
    title = "Reproducing images with all epochs of ezdl-0.99-step-0.0625, seed 17"
    short = shorten_middle(title, width, "…")
    assert len(short) <= width
    assert short.endswith("7") and short.startswith("R")
    assert (short == title) == (width >= len(title))
