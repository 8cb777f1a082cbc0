"""A killed command damages no file, and the next run gives the correct result."""

import os
import random
import signal
import time

from helpers.fault_scenarios import by_scenario, kill, start

SEED = os.environ.get("EZDL_FAULT_SEED", "0")
KILLS = int(os.environ.get("EZDL_FAULT_KILLS", "8"))
IN_A_ROW = 4
OPERATIONS = 3, 4  # at the beginning and at the end each, and in between

# Kills the process at the n-th file operation in its working directory, or counts the operations.
HOOK = """
import atexit, os, signal, sys
done, last, home = 0, int(os.environ["EZDL_KILLED_AT"]), os.getcwd()
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC
CHANGING = {"os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.truncate", "os.link"}

def kill(event, arguments):
    global done
    changes = event in CHANGING or (event == "open" and (arguments[2] or 0) & WRITING)
    if changes and isinstance(arguments[0], (str, bytes, os.PathLike)):
        if os.path.abspath(os.fsdecode(arguments[0])).startswith(home):
            done += 1
            if done == last:
                os.kill(os.getpid(), signal.SIGKILL)

def count():
    with open(os.environ["EZDL_OPERATIONS"], "w") as stream:
        stream.write(str(done))

sys.addaudithook(kill)
atexit.register(count)
"""


@by_scenario
def test_kill_at_a_random_moment_damages_nothing(prepare, scenario, tmp_path, survived):
    prepared, stream = prepare(scenario), random.Random(f"{SEED} {scenario.name}")
    for number in range(KILLS):
        if number % IN_A_ROW == 0:
            folder = prepared.lay_out(tmp_path / str(number))
        # Startup takes most of the time, but the end matters as much.
        moment = prepared.seconds * stream.uniform(stream.choice((0.0, 0.6)), 1.0)
        with start(folder, *scenario.command) as process:
            time.sleep(moment)
            survived("kills at random moments", kill(process))
        prepared.check_names(folder)
        if number % IN_A_ROW == IN_A_ROW - 1 or number == KILLS - 1:
            prepared.check_next_run(folder)


@by_scenario
def test_kill_at_a_file_operation_damages_nothing(prepare, scenario, tmp_path, survived):
    prepared, stream = prepare(scenario), random.Random(f"{SEED} {scenario.name}")
    (tmp_path / "hook").mkdir()
    (tmp_path / "hook" / "sitecustomize.py").write_text(HOOK)

    def code_if_killed_at(number):
        path = [str(tmp_path / "hook"), os.environ.get("PYTHONPATH")]
        hooked = {
            "PYTHONPATH": os.pathsep.join(filter(None, path)),
            "EZDL_KILLED_AT": str(number),
            "EZDL_OPERATIONS": str(tmp_path / "operations"),
        }
        with start(
            prepared.lay_out(tmp_path / str(number)), *scenario.command, env=hooked
        ) as process:
            process.communicate()
        return process.returncode

    assert code_if_killed_at(0) == 0
    numbers = range(1, 1 + int((tmp_path / "operations").read_text()))
    assert len(numbers) >= 2  # a file is opened and renamed
    ends, between = OPERATIONS
    chosen = {*numbers[:ends], *numbers[-ends:], *stream.choices(numbers, k=between)}
    for number in sorted(chosen):
        assert code_if_killed_at(number) == -signal.SIGKILL
        survived("kills at file operations")
        prepared.check_names(tmp_path / str(number))
        prepared.check_next_run(tmp_path / str(number))
