"""Lines of a history are complete or missing, and none is ever lost."""

import json
import os
import stat

import pytest
from helpers.bench_runs import synthetic_run, synthetic_runs

from ezdl_cli.bench.history import History, add_run, load_history
from ezdl_cli.errors import InputError

DAMAGED = [
    b'{"format": 1, "time": "2026',
    b"\xff\xfe\0",
    b"[]",
    b"null",
    b"[" * 100_000,
    b"9" * 10_000,
    b'{"format": 2}',
    b'{"format": 1}',
    json.dumps(synthetic_run() | {"time": "\ud800"}).encode(),
]


@pytest.fixture
def history(tmp_path):
    path = tmp_path / "bench.jsonl"
    for run in synthetic_runs(3):
        assert add_run(path, run) is None
    return path


def test_runs_are_read_in_the_order_in_which_they_were_added(history):
    loaded = load_history(history)
    assert loaded.runs == synthetic_runs(3) and loaded.damaged == []
    assert all(json.loads(line)["format"] == 1 for line in history.read_text().splitlines())


def test_missing_history_has_no_runs(tmp_path):
    assert load_history(tmp_path / "none.jsonl") == History()


@pytest.mark.parametrize("line", DAMAGED)
@pytest.mark.parametrize("end", [b"\n", b""])
def test_damaged_line_is_reported_and_moved_when_the_next_run_is_added(history, line, end):
    with open(history, "ab") as stream:
        stream.write(line + end)
    before = history.read_bytes()
    assert load_history(history) == History(synthetic_runs(3), [4])
    assert history.read_bytes() == before  # reading changes nothing
    aside = add_run(history, synthetic_run(9))
    assert aside.name == "bench.jsonl.damaged" and aside.read_bytes() == line + b"\n"
    assert load_history(history) == History([*synthetic_runs(3), synthetic_run(9)])


def test_damaged_lines_accumulate_next_to_the_history(history):
    lines = history.read_bytes().splitlines()
    history.write_bytes(b"\n".join([lines[0], b"first", b"", lines[1], b"second", lines[2]]))
    assert load_history(history).damaged == [2, 5]
    aside = add_run(history, synthetic_run(9))
    with open(history, "ab") as stream:
        stream.write(b"third\n")
    add_run(history, synthetic_run(10))
    assert aside.read_bytes() == b"first\nsecond\nthird\n"
    assert load_history(history).runs == [*synthetic_runs(3), synthetic_run(9), synthetic_run(10)]


def test_last_line_without_a_newline_is_complete(history):
    history.write_bytes(history.read_bytes().rstrip())
    add_run(history, synthetic_run(9))
    assert load_history(history) == History([*synthetic_runs(3), synthetic_run(9)])


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("machine",), {}),
        (("machine", "id"), 3),
        (("groups",), []),
        (("groups", "sorting"), "x"),
        (("groups", "sorting", "times"), None),
        (("groups", "sorting", "times", "ours", "ratios"), None),
        (("groups", "sorting", "times", "ours", "ratios", "np.sort"), 0.0),
        (("groups", "sorting", "times", "ours", "ratios", "np.sort"), "2"),
        (("groups", "sorting", "times", "ours", "median"), float("nan")),
        (("groups", "sorting", "times", "ours", "median"), True),
        (("groups", "sorting", "times", "ours", "kind"), None),
        (("groups", "sorting", "qualities", "SSIM", "value"), "high"),
        (("groups", "sorting", "qualities", "SSIM", "unit"), 1),
        (("groups", "sorting", "qualities", "SSIM"), {"unit": "SSIM"}),
        (("groups", "sorting", "qualities", "ours"), {"unit": "dB", "value": 1.0}),
        (("versions",), "new"),
        (("time",), 5),
        (("seconds",), "long"),
        (("load",), "high"),
        (("groups", "sorting", "things"), 3),
        (("groups", "sorting", "times", "ours", "median"), 1e300),
        (("groups", "sorting", "times", "ours", "ratios", "BLAS"), 1e-300),
    ],
)
def test_run_that_violates_the_schema_is_damaged(history, path, value):
    run = synthetic_run(9)
    part = run
    for key in path[:-1]:
        part = part[key]
    part[path[-1]] = value
    with open(history, "a") as stream:
        stream.write(json.dumps(run) + "\n")
    assert load_history(history).damaged == [4]


def test_permissions_and_links_are_preserved(history, tmp_path):
    history.chmod(0o640)
    link = tmp_path / "link.jsonl"
    link.symlink_to(history)
    add_run(link, synthetic_run(9))
    assert link.is_symlink() and stat.S_IMODE(history.stat().st_mode) == 0o640
    assert len(load_history(history).runs) == 4


def test_read_only_history_is_refused(history):
    before = history.read_bytes()
    history.chmod(0o444)
    with pytest.raises(InputError, match="read-only"):
        add_run(history, synthetic_run(9))
    assert history.read_bytes() == before


def test_full_disk_leaves_the_history_unchanged(history, monkeypatch):
    before = history.read_bytes()

    def full(*arguments):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        add_run(history, synthetic_run(9))
    assert history.read_bytes() == before
    assert [path.name for path in history.parent.iterdir()] == [history.name]
