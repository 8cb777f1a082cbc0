"""The clock stands still while the process waits for a core, and only then."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ezdl_cli.bench.clock import Clock

BUSY = "while True: pass"
needs_schedstat = pytest.mark.skipif(
    not Path("/proc/thread-self/schedstat").exists(), reason="the system does not tell"
)


@pytest.fixture
def crowded_core():
    """This process shares one core with two busy ones."""
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
    """Use the processor for so long."""
    start = time.thread_time()
    while time.thread_time() - start < seconds:
        pass


@needs_schedstat
def test_waiting_for_a_core_does_not_count(crowded_core):
    clock = Clock()
    start, mark = time.perf_counter(), clock.start()
    compute(0.5)
    ours = clock.since(mark)
    wall = time.perf_counter() - start
    assert wall > 0.8  # or the others were not there
    assert 0.5 <= ours < 0.6


@needs_schedstat
def test_a_child_that_waits_for_a_core_is_not_slower(crowded_core):
    clock = Clock()
    code = "import time\nwhile time.process_time() < 0.5: pass"
    start, mark = time.perf_counter(), clock.start()
    clock.run([sys.executable, "-c", code])
    ours = clock.since(mark)
    wall = time.perf_counter() - start
    assert wall > 0.8
    assert 0.45 <= ours < 0.75


def test_sleeping_counts():
    clock = Clock()
    mark = clock.start()
    time.sleep(0.1)
    assert 0.09 <= clock.since(mark) < 1.0


def test_a_system_that_does_not_tell_has_the_time_on_the_wall(monkeypatch):
    def missing(*arguments):
        raise FileNotFoundError

    monkeypatch.setattr("os.open", missing)
    clock = Clock()
    mark = clock.start()
    time.sleep(0.02)
    assert 0.02 <= clock.since(mark) < 1.0


def test_a_child_that_fails_is_an_error():
    with pytest.raises(subprocess.CalledProcessError) as error:
        Clock().run([sys.executable, "-c", "import sys; sys.exit('no')"])
    assert b"no" in error.value.stderr
