"""Of several processes, one has the lock; a lock whose owner has ended is taken over."""

import os
import subprocess
import sys

import pytest

from ezdl_cli import io
from ezdl_cli.errors import InputError

HOLD = """
import sys, time
from ezdl_cli import io
from ezdl_cli.errors import InputError
with io.lock(sys.argv[1]):
    print("mine", flush=True)
    time.sleep(60)
"""


@pytest.fixture
def path(tmp_path):
    return tmp_path / "bench.jsonl"


@pytest.fixture
def holder(path):
    """Another process that has the lock."""
    command = [sys.executable, "-c", HOLD, path]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "mine\n"
        yield process
        process.kill()


def test_the_lock_names_its_owner_and_is_gone_after(path):
    place = path.with_name("bench.jsonl.lock")
    with io.lock(path):
        assert place.read_text().split()[0] == str(os.getpid())
        with pytest.raises(io.Locked, match=str(os.getpid())):
            io.check_unlocked(path)
    assert not place.exists()
    io.check_unlocked(path)


def test_another_process_keeps_it_while_it_lives(path, holder):
    for attempt in (io.check_unlocked, lambda path: io.lock(path).__enter__()):
        with pytest.raises(io.Locked, match=f"process {holder.pid} "):
            attempt(path)
    holder.kill()
    holder.wait()
    io.check_unlocked(path)
    with io.lock(path):
        assert path.with_name("bench.jsonl.lock").read_text().split()[0] == str(os.getpid())


def test_an_owner_that_was_killed_but_not_waited_for_has_it_no_more(path, holder):
    holder.kill()
    os.waitid(os.P_PID, holder.pid, os.WEXITED | os.WNOWAIT)
    io.check_unlocked(path)
    with io.lock(path):
        pass


def test_a_link_to_the_file_has_the_same_lock(path, holder, tmp_path):
    path.touch()
    link = tmp_path / "link.jsonl"
    link.symlink_to(path)
    with pytest.raises(io.Locked), io.lock(link):
        pass


def test_what_is_no_file_is_refused(path):
    os.mkfifo(path.with_name("bench.jsonl.lock"))
    for attempt in (io.check_unlocked, lambda path: io.lock(path).__enter__()):
        with pytest.raises(InputError, match="in the way"):
            attempt(path)


def test_a_failure_in_the_block_gives_it_back(path):
    with pytest.raises(ZeroDivisionError), io.lock(path):
        raise ZeroDivisionError
    with io.lock(path):
        pass


@pytest.mark.parametrize(
    "content", ["", "4194399 12", "garbage", "-1", "0x5", "99999999999999999999", "\xff", "0"]
)
def test_what_names_no_living_process_is_stale(path, content):
    path.with_name("bench.jsonl.lock").write_text(content)
    io.check_unlocked(path)
    with io.lock(path):
        pass


def test_a_living_process_of_the_same_number_that_was_started_later_is_another(path):
    place = path.with_name("bench.jsonl.lock")
    place.write_text(f"{os.getppid()} 1")
    with io.lock(path):
        pass
    # Without the moment, the number has to do.
    place.write_text(str(os.getppid()))
    with pytest.raises(io.Locked), io.lock(path):
        pass
