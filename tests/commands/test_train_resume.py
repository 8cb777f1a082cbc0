"""`ezdl train --resume` resumes a killed training, with the same bytes as result."""

import os

import numpy as np
import pytest

# The process kills itself at the nth rename of a file, before or after it.
KILLED = """
import itertools, os, signal, sys
from ezdl_cli import cli
replace, calls = os.replace, itertools.count(1)
def replace_and_die(*arguments):
    is_last = next(calls) == {nth}
    if {after} or not is_last:
        replace(*arguments)
    if is_last:
        os.kill(os.getpid(), signal.SIGKILL)
os.replace = replace_and_die
sys.argv = {command!r}
cli.main()
"""
LEARNERS = {
    "ezdl": ("--noise", "0.1"),
    "odl": ("--lambda", "0.7", "--batch-size", "64"),
    "rls-dla": ("--nonzeros", "3", "--forgetting", "0.98"),
}


@pytest.mark.parametrize("name", LEARNERS)
def test_killed_and_resumed_runs_end_with_the_same_bytes(run, tmp_path, name):
    np.save(tmp_path / "p.npy", np.random.default_rng(0).integers(0, 256, (500, 16), np.uint8))
    command = ("ezdl", "train", name, "p.npy", "d.npz", "--atoms", "48", "--epochs", "9")
    command += ("--samples-per-epoch", "300", "--checkpoint-every", "2", "--resume")
    command += LEARNERS[name]
    assert run(*command).returncode == 0
    expected = (tmp_path / "d.npz").read_bytes()
    (tmp_path / "d.npz").unlink()
    # First before the second checkpoint gets its final name, then right after the next one.
    for nth, after in ((2, False), (1, True)):
        code = KILLED.format(nth=nth, after=after, command=list(command))
        assert run("python", "-c", code).returncode == -9
        assert "d.checkpoint.npz" in os.listdir(tmp_path)
    assert run(*command).returncode == 0
    assert (tmp_path / "d.npz").read_bytes() == expected
    assert sorted(os.listdir(tmp_path)) == ["d.npz", "p.npy"]
