"""The clock does not count the time of other processes, and counts everything else."""

import os
import subprocess
import sys
import time

import pytest

from ezdl_cli.bench.clock import Clock

BUSY = "while True: pass"


@pytest.fixture
def crowded_core():
    """Let this process share one core with two busy ones."""
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})
    others = [subprocess.Popen([sys.executable, "-c", BUSY]) for _ in range(2)]
    try:
        yield
    finally:
        for other in others:
            other.kill()
            other.wait()
        os.sched_setaffinity(0, cores)


def compute(seconds):
    """Use the processor for a number of seconds."""
    start = time.thread_time()
    while time.thread_time() - start < seconds:
        pass


def measured(work):
    """Seconds of the clock, and wall time."""
    clock = Clock()
    start, mark = time.perf_counter(), clock.now()
    work(clock)
    return clock.since(mark), time.perf_counter() - start


def test_time_of_other_processes_does_not_count(crowded_core):
    ours, wall = measured(lambda clock: compute(0.5))
    assert wall > 0.8  # otherwise the other processes were not running
    assert 0.5 <= ours < 0.6


def test_child_process_on_a_busy_core_is_not_slower(crowded_core):
    code = "import time\nwhile time.process_time() < 0.5: pass"
    ours, wall = measured(lambda clock: clock.run([sys.executable, "-c", code]))
    assert wall > 0.8
    assert 0.5 <= ours < 0.8


def test_sleeping_counts():
    ours, _ = measured(lambda clock: time.sleep(0.1))
    assert 0.09 <= ours < 1.0


def test_computing_and_sleeping_add_up():
    ours, _ = measured(lambda clock: (compute(0.1), time.sleep(0.1), compute(0.1)))
    assert 0.29 <= ours < 3.0


def test_wall_time_counts_without_schedstat(monkeypatch):
    def missing(*arguments):
        raise FileNotFoundError

    monkeypatch.setattr("os.open", missing)
    ours, wall = measured(lambda clock: time.sleep(0.02))
    assert 0.02 <= ours <= wall < 1.0


def test_failing_process_raises():
    with pytest.raises(subprocess.CalledProcessError) as error:
        Clock().run([sys.executable, "-c", "import sys; sys.exit('no')"])
    assert b"no" in error.value.stderr
