"""Whenever a command is killed, no file is damaged, and the next run gives what it should."""

import os
import random
import signal
import time

import pytest
from scenarios import SCENARIOS, kill, start

SEED = os.environ.get("EZDL_FAULT_SEED", "0")
KILLS = int(os.environ.get("EZDL_FAULT_KILLS", "8"))
IN_A_ROW = 4
MOST_OPERATIONS = 40

# Kills its process at the k-th operation on a file of the folder in which it was started.
HOOK = """
import os, signal, sys
left = [int(os.environ["EZDL_KILLED_AT"])]
home = os.getcwd()
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC
CHANGING = {"os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.truncate", "os.link"}

def kill(event, arguments):
    changes = event in CHANGING or (event == "open" and (arguments[2] or 0) & WRITING)
    if changes and isinstance(arguments[0], (str, bytes, os.PathLike)):
        if os.path.abspath(os.fsdecode(arguments[0])).startswith(home):
            left[0] -= 1
            if left[0] == 0:
                os.kill(os.getpid(), signal.SIGKILL)

sys.addaudithook(kill)
"""


def by_scenario(test):
    """A test for each scenario, all of one scenario in the same process."""
    cases = [
        pytest.param(one, id=one.name, marks=pytest.mark.xdist_group(one.name)) for one in SCENARIOS
    ]
    return pytest.mark.parametrize("scenario", cases)(test)


@by_scenario
def test_it_is_killed_at_random_moments(prepare, scenario, tmp_path, survived):
    prepared, stream = prepare(scenario), random.Random(f"{SEED} {scenario.name}")
    for number in range(KILLS):
        if number % IN_A_ROW == 0:
            folder = prepared.lay_out(tmp_path / str(number))
        # Most of the time goes into starting; what comes at the end matters as much.
        moment = prepared.seconds * stream.uniform(stream.choice((0.0, 0.6)), 1.0)
        with start(folder, *scenario.command) as process:
            time.sleep(moment)
            survived["kills at random moments"] += kill(process)
        prepared.check_names(folder)
        if number % IN_A_ROW == IN_A_ROW - 1 or number == KILLS - 1:
            prepared.check_next_run(folder)


@by_scenario
def test_it_is_killed_at_every_operation_on_files(prepare, scenario, tmp_path, survived):
    prepared = prepare(scenario)
    (tmp_path / "hook").mkdir()
    (tmp_path / "hook" / "sitecustomize.py").write_text(HOOK)
    path = os.pathsep.join(filter(None, [str(tmp_path / "hook"), os.environ.get("PYTHONPATH")]))
    for number in range(1, MOST_OPERATIONS):
        folder = prepared.lay_out(tmp_path / str(number))
        hooked = {"PYTHONPATH": path, "EZDL_KILLED_AT": str(number)}
        with start(folder, *scenario.command, env=hooked) as process:
            _, said = process.communicate()
        if process.returncode == 0:
            break
        assert process.returncode == -signal.SIGKILL, said
        survived["kills at operations on files"] += 1
        prepared.check_names(folder)
        prepared.check_next_run(folder)
    assert number > 2  # a file is opened and gets its name
