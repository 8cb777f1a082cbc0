"""At most one process holds a lock; the lock of a process that has ended is free."""

import fcntl
import os
import subprocess
import sys
import threading

import pytest

from ezdl_cli import io
from ezdl_cli.errors import InputError

HOLD = """
import sys, time
from ezdl_cli import io
with io.lock(sys.argv[1]):
    print("mine", flush=True)
    time.sleep(60)
"""


@pytest.fixture
def path(tmp_path):
    return tmp_path / "bench.jsonl"


@pytest.fixture
def holder(path):
    """Another process that holds the lock."""
    command = [sys.executable, "-c", HOLD, path]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "mine\n"
        yield process
        process.kill()


def test_lock_file_names_its_owner_and_is_removed_at_the_end(path):
    lock_file = path.with_name("bench.jsonl.lock")
    with io.lock(path):
        assert lock_file.read_text().split()[0] == str(os.getpid())
        with pytest.raises(io.Locked, match=str(os.getpid())):
            io.check_unlocked(path)
    assert not lock_file.exists()
    io.check_unlocked(path)


def test_lock_of_another_process_holds_while_that_lives(path, holder):
    for attempt in (io.check_unlocked, lambda path: io.lock(path).__enter__()):
        with pytest.raises(io.Locked, match=f"process {holder.pid} "):
            attempt(path)
    holder.kill()
    holder.wait()
    io.check_unlocked(path)
    with io.lock(path):
        assert path.with_name("bench.jsonl.lock").read_text().split()[0] == str(os.getpid())


def test_killed_owner_that_was_not_waited_for_releases_the_lock(path, holder):
    holder.kill()
    os.waitid(os.P_PID, holder.pid, os.WEXITED | os.WNOWAIT)
    io.check_unlocked(path)
    with io.lock(path):
        pass


def test_symbolic_link_shares_the_lock_of_its_target(path, holder, tmp_path):
    path.touch()
    link = tmp_path / "link.jsonl"
    link.symlink_to(path)
    with pytest.raises(io.Locked), io.lock(link):
        pass


def test_lock_file_that_is_a_pipe_is_refused(path):
    os.mkfifo(path.with_name("bench.jsonl.lock"))
    for attempt in (io.check_unlocked, lambda path: io.lock(path).__enter__()):
        with pytest.raises(InputError, match="not a regular file"):
            attempt(path)


def test_failure_in_the_block_releases_the_lock(path):
    with pytest.raises(ZeroDivisionError), io.lock(path):
        raise ZeroDivisionError
    with io.lock(path):
        pass


@pytest.mark.parametrize("content", ["", "garbage", "-1", "99999999999999999999", "\xff", "parent"])
def test_lock_file_that_no_process_has_open_is_stale(path, content):
    content = content.replace("parent", str(os.getppid()))  # alive, but does not hold the lock
    path.with_name("bench.jsonl.lock").write_text(content)
    io.check_unlocked(path)
    with io.lock(path):
        assert path.with_name("bench.jsonl.lock").read_text() == f"{os.getpid()}\n"


def test_waiting_for_a_concurrent_check_succeeds(path):
    path.with_name("bench.jsonl.lock").touch()
    handle = os.open(path.with_name("bench.jsonl.lock"), os.O_RDONLY)
    fcntl.flock(handle, fcntl.LOCK_SH)
    timer = threading.Timer(0.03, os.close, [handle])
    timer.start()
    with io.lock(path):
        assert timer.finished.is_set()
