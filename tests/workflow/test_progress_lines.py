"""Progress of steps as lines of their logs."""

import os

from ezdl_cli.workflow.progress_lines import (
    ProgressLog,
    StepProgress,
    last_progress,
    parse_progress,
    without_progress,
)


def written(total, n_calls, seconds):
    """Return the lines for `total` units of work, in so many calls that take `seconds` each."""
    lines, now = [], [100.0]
    log = ProgressLog(total, "Training", lines.append, lambda: now[0])
    for _ in range(n_calls):
        now[0] += seconds
        log.advance(total // n_calls, item="an image")
    return lines


def test_lines_have_the_time_left_and_can_be_parsed():
    lines = written(10, 10, 30.0)
    assert lines[0] == "Training: 1 of 10, 4 min left"
    assert lines[-1] == "Training: 9 of 10, 30 s left"
    assert parse_progress(lines[1] + "\n") == StepProgress("Training", 2, 10)
    assert parse_progress(lines[1]).fraction == 0.2


def test_at_most_one_line_per_second_and_per_percent():
    assert len(written(1000, 1000, 0.125)) == 99
    assert len(written(10**6, 10**4, 60.0)) == 99
    assert len(written(100, 100, 0.25)) == 24


def test_short_work_writes_nothing():
    assert written(1, 1, 60.0) == written(100, 100, 0.001) == []
    log = ProgressLog(0, "Training", lambda line: 1 / 0, lambda: 0.0)
    log.advance(0)


def test_other_lines_are_no_progress():
    others = ["ezdl: 1 of 2 files", "Training: 1 of 2", "Training: a of 2, 1 s left", ""]
    assert not any(map(parse_progress, others))
    assert without_progress([*others, "Training: 1 of 2, 1.5 h left"]) == others


def test_last_progress_is_found_at_the_end_of_a_log(tmp_path):
    log = tmp_path / "a.log"
    assert last_progress(log, 0.0) is None
    log.write_bytes(b"\xff" * 10**5 + b"\nA: 1 of 9, 1 s left\nA: 2 of 9, 1 s left\nother\nA: 3")
    assert last_progress(log, 0.0) == StepProgress("A", 2, 9)
    os.utime(log, (1000, 1000))
    assert last_progress(log, 2000.0) is None
    log.write_text("other\n")
    assert last_progress(log, 0.0) is None
