"""Damaged files of every kind are rejected in one line with exit code 2, or give a valid result.

`make test` tries a few files of each kind. `make test-fuzz` tries many, with a new random seed each
time; EZDL_FUZZ_FILES and EZDL_FUZZ_SEED set their number and the seed.
"""

import os
import random
import shutil
from pathlib import Path

import pytest
from helpers.fuzzing.campaign import OUTPUT, Tally, what_is_wrong
from helpers.fuzzing.targets import TARGETS
from helpers.written_files import contents

PROJECT = Path(__file__).resolve().parents[2]
FILES = int(os.environ.get("EZDL_FUZZ_FILES", "150"))
SEED = int(os.environ.get("EZDL_FUZZ_SEED", "0"))
KEPT = PROJECT / "results" / "fuzzing"


@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.kind)
def test_damaged_file_is_rejected_in_one_line_or_gives_a_valid_result(
    server, healthy, tmp_path, target, record_property
):
    count = max(2, FILES * target.weight // sum(one.weight for one in TARGETS))
    tally = Tally()
    for number in range(count):
        stream = random.Random(f"{SEED} {target.kind} {number}")
        folder = tmp_path / str(number)
        arguments = lay_out(healthy, folder, target, stream)
        before = contents(folder, OUTPUT)
        answer = server.run(folder, arguments)
        wrong = what_is_wrong(answer, folder, before, target.codes)
        tally.add(answer, wrong and f"{wrong}: ezdl {answer['command']}\n{answer['err'][-2000:]}")
        if wrong:
            shutil.copytree(folder, KEPT / f"{target.kind} {SEED} {number}", dirs_exist_ok=True)
        shutil.rmtree(folder)
    record_property("tally", tally.numbers(target.kind))
    assert not tally.wrong, f"{len(tally.wrong)} of {tally.files}\n" + "\n".join(tally.wrong[:10])


def lay_out(healthy, folder, target, stream):
    """Copy the inputs of a command, damage one of them, and return the arguments."""
    folder.mkdir()
    for name in target.needs:
        if (healthy / name).is_dir():
            shutil.copytree(healthy / name, folder / name)
        else:
            shutil.copy(healthy / name, folder / name)
    victim = stream.choice(target.victims)
    path = folder / victim
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(stream.choice(target.mutations)((healthy / victim).read_bytes(), stream))
    names = {"file": victim, "folder": str(Path(victim).parent)}
    return [word.format(**names) for word in stream.choice(target.commands)]
