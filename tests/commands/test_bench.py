"""`ezdl bench run`, `check` and `report` through their real entry point."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from helpers.bench_runs import synthetic_run, synthetic_runs

from ezdl_cli import io
from ezdl_cli.bench import suites
from ezdl_cli.bench.history import add_run, load_history
from ezdl_cli.bench.runner import BenchmarkRunner
from ezdl_cli.errors import InputError

EZDL = Path(sys.executable).parent / "ezdl"


@pytest.fixture
def history(tmp_path):
    path = tmp_path / "bench.jsonl"
    for run in synthetic_runs(8):
        add_run(path, run)
    return path


def add(path, *runs):
    for run in runs:
        add_run(path, run)


def test_timeout_saves_what_was_measured(run, tmp_path):
    # There is time for the first group, but not for all nine. The first pass compiles its kernels.
    first = next(iter(suites.SUITES["smoke"]))
    for _ in range(2):
        start = time.monotonic()
        assert "error" not in BenchmarkRunner().measure([first], lambda *_: None)[first]
    limit = 2 * (time.monotonic() - start) + 2
    start = time.monotonic()
    done = run(
        "ezdl", "bench", "run", "--suite", "smoke", "--timeout", limit, "--history", "b.jsonl"
    )
    assert time.monotonic() - start < limit + 5
    assert done.returncode == 0, done.stderr
    assert "timeout: " in done.stderr and done.stderr.count("\n") == 1
    (kept,) = load_history(tmp_path / "b.jsonl").runs
    assert kept["suite"] == "smoke" and kept["machine"]["cores"] >= 1 and kept["groups"]
    assert {"numpy", "numba", "ezdl"} <= set(kept["versions"])
    for name in kept["groups"]:
        assert name in done.stdout
    assert sorted(path.name for path in tmp_path.iterdir()) == ["b.jsonl"]


def test_run_without_any_result_is_not_saved(run, tmp_path):
    done = run("ezdl", "bench", "run", "--timeout", "0.01", "--history", "b.jsonl", "--quiet")
    assert (done.returncode, done.stdout) == (1, "") and "0 of" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_second_run_at_the_same_time_exits_with_code_5(refused, history):
    with io.lock(history):
        for command in ("run", "check"):
            message = refused(
                "ezdl", "bench", command, "--history", history, "--quiet", code=5, alone=True
            )
            assert f"process {os.getpid()} " in message
    assert load_history(history).runs == synthetic_runs(8)


@pytest.mark.parametrize("killed", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_killed_run_leaves_the_history_unchanged(run, history, killed):
    before = history.read_bytes()
    command = [EZDL, "bench", "run", "--suite", "smoke", "--history", history, "--quiet"]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL, start_new_session=True)
    worker = wait_for_child(process.pid)
    process.send_signal(killed)
    assert process.wait(timeout=20) != 0
    deadline = time.monotonic() + 20
    while Path(f"/proc/{worker}").exists() and is_ours(worker):
        assert time.monotonic() < deadline, "the worker is still running"
        time.sleep(0.05)
    assert history.read_bytes() == before
    # The lock is removed or stale.
    done = run("ezdl", "bench", "check", "--history", history)
    assert done.returncode == 0, done.stderr
    with io.lock(history):
        pass


def wait_for_child(process):
    """Return the number of the worker process that a process has started."""
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        found = Path(f"/proc/{process}/task/{process}/children").read_text().split()
        if found and is_ours(found[0]):
            return found[0]
        time.sleep(0.05)
    raise AssertionError("no worker was started")


def is_ours(process):
    try:
        return b"ezdl_cli.bench.worker" in Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:
        return False


def test_no_regressions_exits_with_code_0(run, history):
    done = run("ezdl", "bench", "check", "--history", history)
    assert (done.returncode, done.stderr) == (0, "") and "7 earlier runs" in done.stdout
    done = run("ezdl", "bench", "check", "--history", history, "--quiet")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_regression_is_printed_with_its_size_and_first_run(run_here, history):
    slow = [synthetic_run(20 + i, slower=1.4, quality=0.8) for i in range(3)]
    for one in slow:
        one["commit"], one["versions"]["numpy"] = "b" * 40, "3.0"
    add(history, *slow)
    done = run_here("ezdl", "bench", "check", "--history", history, "--quiet")
    assert (done.returncode, done.stderr) == (3, "")
    speed, quality = done.stdout.splitlines()
    assert speed.startswith("sorting: ours: ") and "% slower" in speed
    assert quality.startswith("sorting: SSIM: 0.8 SSIM, usually 0.9")
    for line in (speed, quality):
        assert f"since {slow[0]['time']} (3 runs)" in line
        assert "numpy 2.0 → 3.0" in line and "commit aaaaaaaaaaaa → bbbbbbbbbbbb" in line


@pytest.mark.parametrize("count", [0, 1, 5])
def test_too_few_runs_exit_with_code_4(run_here, tmp_path, count):
    add(tmp_path / "b.jsonl", *synthetic_runs(count))
    for quiet in ((), ("--quiet",)):
        done = run_here("ezdl", "bench", "check", "--history", "b.jsonl", *quiet)
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (4, "", 1)
        assert ("no runs yet" in done.stderr) == (count == 0)
        assert (f"({count - 1} on this machine, 5 needed)" in done.stderr) == (count > 0)


def test_only_runs_since_the_new_baseline_are_counted(run_here, history):
    add(history, synthetic_run(8, slower=2.0) | {"baseline": True}, synthetic_run(9, slower=2.0))
    done = run_here("ezdl", "bench", "check", "--history", history, "--quiet")
    assert done.returncode == 4 and "(1 on this machine, 5 needed)" in done.stderr


def test_damaged_line_is_reported_and_skipped(run_here, history):
    with open(history, "ab") as stream:
        stream.write(b'{"format": 1, "ti')
    for command in (["check", "--quiet"], ["report", "r.html"]):
        done = run_here("ezdl", "bench", *command, "--history", history)
        assert done.returncode == 0 and done.stderr.count("\n") == 1
        assert "bench.jsonl" in done.stderr and "line 9)" in done.stderr


def test_order_of_runs_does_not_depend_on_their_dates(run_here, history):
    late = synthetic_run(99, slower=1.5)
    late["time"] = "1999-01-01T00:00:00+00:00"
    add(history, late)
    done = run_here("ezdl", "bench", "check", "--history", history)
    assert done.returncode == 3 and "since 1999-01-01" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["run", "--history", "nowhere/b.jsonl"], "nowhere"),
        (["run", "--history", "folder"], "folder"),
        (["run", "--history", "fixed.jsonl"], "read-only"),
        (["run", "--suite", "huge"], "huge"),
        (["run", "--timeout", "0"], "0"),
        (["run", "--timeout", "nan"], "nan"),
        (["check", "--history", "folder"], "folder"),
        (["check", "--history", ""], "folder"),
        (["check", "--history", "/"], "folder"),
        (["run", "--history", ""], "folder"),
        (["report", "r.html", "--history", "none.jsonl"], "no runs"),
        (["report", "nowhere/r.html", "--history", "b.jsonl"], "nowhere"),
        (["report", "b.jsonl", "--history", "b.jsonl"], "b.jsonl"),
        (["report", "folder", "--history", "b.jsonl"], "folder"),
    ],
)
def test_invalid_use_gives_one_line(refused, history, tmp_path, arguments, word):
    (tmp_path / "folder").mkdir()
    history.rename(tmp_path / "b.jsonl")
    fixed = tmp_path / "fixed.jsonl"
    fixed.write_bytes((tmp_path / "b.jsonl").read_bytes())
    fixed.chmod(0o444)
    before = fixed.read_bytes()
    assert word in refused("ezdl", "bench", *arguments)
    assert fixed.read_bytes() == before == (tmp_path / "b.jsonl").read_bytes()
    assert not (tmp_path / "r.html").exists()


def test_default_history_is_in_the_state_folder(run, tmp_path):
    state = tmp_path / "state"
    (state / "ezdl").mkdir(parents=True)
    add(state / "ezdl" / "bench.jsonl", *synthetic_runs(8))
    done = run("ezdl", "bench", "check", env={"XDG_STATE_HOME": str(state)})
    assert done.returncode == 0 and "7 earlier runs" in done.stdout


def test_user_without_a_home_must_pass_history(run, refused, history):
    nowhere = {"XDG_STATE_HOME": "~no-such-user/state"}
    assert "--history" in refused("ezdl", "bench", "check", env=nowhere)
    assert run("ezdl", "bench", "check", "--history", history, env=nowhere).returncode == 0


def test_run_that_cannot_be_saved_is_printed(monkeypatch, tmp_path, capsys):
    from ezdl_cli.commands.bench_run import _save

    def full(*arguments):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        _save(tmp_path / "b.jsonl", synthetic_run(3))
    printed = capsys.readouterr()
    assert json.loads(printed.out) == synthetic_run(3) and "standard output" in printed.err
    fixed = tmp_path / "fixed.jsonl"
    fixed.touch(0o444)
    with pytest.raises(InputError, match="read-only"):
        _save(fixed, synthetic_run(3))
    assert json.loads(capsys.readouterr().out) == synthetic_run(3)
