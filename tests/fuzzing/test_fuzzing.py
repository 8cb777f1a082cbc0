"""Damaged files of every kind: one line and exit code 2, or a result that can be used.

In the ordinary tests there are a few files of each kind. `make test-fuzz` has many, with other
random numbers each time; EZDL_FUZZ_FILES and EZDL_FUZZ_SEED say how many and which.
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
def test_damaged_files_are_refused_in_one_line_or_used(
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
    """Copy what a command needs with one file damaged; the words of the command."""
    folder.mkdir()
    for name in target.needs:
        if (healthy / name).is_dir():
            shutil.copytree(healthy / name, folder / name)
        else:
            shutil.copy(healthy / name, folder / name)
    victim = stream.choice(target.victims)
    place = folder / victim
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(stream.choice(target.ways)((healthy / victim).read_bytes(), stream))
    names = {"file": victim, "folder": str(Path(victim).parent)}
    return [word.format(**names) for word in stream.choice(target.commands)]
