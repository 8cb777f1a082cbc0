"""Killed and stopped processes of the benchmarks and of the pipeline."""

import json
import os
import random
import resource
import shutil
import signal
import time
from pathlib import Path

import psutil
import pytest
from helpers.bench_runs import synthetic_runs
from helpers.fault_scenarios import ezdl, kill, limited, start
from helpers.written_files import contents, is_temporary, what_is_damaged

PROJECT = Path(__file__).resolve().parents[2]
SEED = os.environ.get("EZDL_FAULT_SEED", "0")
KILLS_OF_BENCH, KILLS_OF_PIPELINE = 10, 12
BENCH = ("bench", "run", "--suite", "smoke", "--history", "history.jsonl", "--quiet")
PIPELINE = ("run", "--profile", "ci")
# Times are the only numbers that differ from run to run.
TIMED_TABLES = ("speedups", "epochs", "gradient", "filtering")
TIMES = (*(f"tables/{name}.csv" for name in TIMED_TABLES), "figures/fig05", "claims", "report.html")
BOOKKEEPING = ("logs/", "benchmarks/")


@pytest.fixture
def history(tmp_path):
    """Write a history with some runs."""
    path = tmp_path / "history.jsonl"
    path.write_text("".join(json.dumps(run) + "\n" for run in synthetic_runs(3)))
    return path


def processes_in(folder):
    """Return the processes whose working directory is a folder."""
    found = []
    for process in psutil.process_iter():
        try:
            if process.cwd() == str(folder) and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process)
        except psutil.Error:  # it has ended, or belongs to another user
            continue
    return found


def some_worker(process, word):
    """Wait for and return a descendant of a process with a word in its command line."""
    while process.poll() is None:
        for one in psutil.Process(process.pid).children(recursive=True):
            try:
                if any(word in part for part in one.cmdline()):
                    return one
            except psutil.Error:  # it has ended
                continue
        time.sleep(0.05)
    raise AssertionError(process.communicate())


def check_next_bench(folder, lines):
    """Check that the next run appends one line and leaves no other file."""
    done = ezdl(folder, *BENCH)
    assert done.returncode in (0, 1), done.stderr
    history = folder / "history.jsonl"
    assert history.read_text().splitlines()[:-1] == lines
    assert what_is_damaged(history) is None
    assert list(contents(folder)) == ["history.jsonl"]


@pytest.mark.parametrize("everything", [True, False], ids=["with its worker", "alone"])
def test_killed_benchmark_preserves_the_history(history, everything, survived):
    folder, before = history.parent, history.read_bytes()
    stream = random.Random(f"{SEED} {everything}")
    for _ in range(KILLS_OF_BENCH // 2):
        with start(folder, *BENCH) as process:
            time.sleep(stream.uniform(0.1, 8.0))
            survived("kills of bench run", kill(process) if everything else True)
            process.kill()
        assert history.read_bytes() == before
        deadline = time.monotonic() + 30.0
        while processes_in(folder):
            assert time.monotonic() < deadline, "a worker is still running"
            time.sleep(0.1)
    check_next_bench(folder, before.decode().splitlines())


def test_killed_worker_is_reported_and_the_other_groups_are_measured(history, survived):
    with start(history.parent, *BENCH) as process:
        some_worker(process, "ezdl_cli.bench.worker").kill()
        _, output = process.communicate()
    assert process.returncode == 1
    assert b"could not be measured" in output
    groups = json.loads(history.read_text().splitlines()[-1])["groups"].values()
    assert ["error" in group for group in groups].count(True) == 1
    assert len(groups) > 1
    survived("killed workers")


def test_stopped_worker_is_terminated_after_the_timeout(history, survived):
    lines = history.read_text().splitlines()
    with start(history.parent, *BENCH, "--timeout", "25") as process:
        some_worker(process, "ezdl_cli.bench.worker").suspend()
        process.communicate(timeout=60)
    assert process.returncode == 1
    assert not processes_in(history.parent)
    survived("stopped workers")
    check_next_bench(history.parent, lines)


@pytest.fixture
def project(tmp_path):
    """Copy the pipeline into two folders and return the one to be disturbed."""
    for name in ("disturbed", "undisturbed"):
        shutil.copytree(PROJECT / "config", tmp_path / name / "config")
        shutil.copy(PROJECT / "Snakefile", tmp_path / name)
    return tmp_path / "disturbed"


def check_results(project):
    """Check that all result files are complete."""
    for name in contents(project / "results"):
        if not is_temporary(name) and not any(part in name for part in BOOKKEEPING):
            assert what_is_damaged(project / "results" / name) is None, name


def comparable(project):
    """Return checksums of all results that do not depend on times."""
    made = {**contents(project / "data"), **contents(project / "results" / "ci")}
    return {
        name: checksum
        for name, checksum in made.items()
        if not name.startswith(TIMES) and not any(part in name for part in BOOKKEEPING)
    }


def lose_some(project):
    """Delete some results, so that there is work left however far the pipeline had come."""
    for name in ("tables", "figures"):
        shutil.rmtree(project / "results" / "ci" / name, ignore_errors=True)


def test_disturbed_pipeline_ends_with_the_same_results(project, survived):
    began = time.monotonic()
    undisturbed = project.parent / "undisturbed"
    assert ezdl(undisturbed, *PIPELINE).returncode == 0
    seconds = time.monotonic() - began
    with start(project, *PIPELINE, preexec_fn=limited(resource.RLIMIT_FSIZE, 40_000)) as process:
        output = b"".join(process.communicate())
    assert process.returncode == 1
    assert b"File too large" in output and b"Traceback" not in output
    survived("limits of file size")
    check_results(project)
    stream = random.Random(SEED)
    for number in range(KILLS_OF_PIPELINE):
        with start(project, *PIPELINE) as process:
            time.sleep(2.0 + stream.uniform(0.0, seconds / 10))
            survived("kills of the pipeline", process.poll() is None)
            if number % 3:
                kill(process)
            else:  # its steps continue for a while
                process.kill()
        check_results(project)
    lose_some(project)
    with start(project, *PIPELINE) as process:
        some_worker(process, "/ezdl").kill()
        output = b"".join(process.communicate())
    if process.returncode:  # otherwise the last step had already ended
        assert b"Traceback" not in output
        survived("killed steps")
    check_results(project)
    lose_some(project)
    with start(project, *PIPELINE) as process:
        step = some_worker(process, "/ezdl")
        step.suspend()
        time.sleep(2.0)
        step.send_signal(signal.SIGCONT)
        process.communicate()
    survived("stopped steps")
    assert ezdl(project, *PIPELINE).returncode == 0
    assert comparable(project) == comparable(undisturbed)
