"""Disks that are full, folders that must not be written to, and too little memory.

The command says so in words, nothing that was there is lost, and once there is room again the next
run gives what it should.
"""

import os
import resource
import shutil
import subprocess
from contextlib import contextmanager

import pytest
from helpers.fault_scenarios import EZDL, by_scenario, ezdl, limited
from helpers.written_files import contents, is_temporary

FAILED, WRONG_USE = 1, 2
FILE_SIZES = (0, 2_000, 50_000)
DISK_SIZES = (0, 16 << 10, 256 << 10)
MEMORY = (100, 600, 1023, 1024, 1400)  # MiB of addresses; with less than 1024 nothing is begun


def check_failed(prepared, folder, done, *codes):
    """The command has failed in words, or was not touched; what was there is there."""
    if done.returncode:
        assert done.returncode in codes, (done.returncode, done.stderr)
        lines = done.stderr.splitlines()
        assert lines and all(line.startswith("ezdl: ") for line in lines), done.stderr
    prepared.check_names(folder)
    assert not any(map(is_temporary, contents(folder))), "a temporary file was left behind"
    assert done.returncode or contents(folder) == prepared.after
    return done.returncode != 0


@by_scenario
def test_files_cannot_grow(prepare, scenario, tmp_path, survived):
    prepared = prepare(scenario)
    for size in FILE_SIZES:
        folder = prepared.lay_out(tmp_path / str(size))
        too_small = limited(resource.RLIMIT_FSIZE, size)
        done = ezdl(folder, *scenario.command, preexec_fn=too_small)
        failed = check_failed(prepared, folder, done, FAILED)
        assert failed or size > 0
        survived("limits of the size of files", failed)
        if failed:
            prepared.check_next_run(folder)


@contextmanager
def small_disk(folder, room):
    """A disk with so much room left, beside what is in the folder already."""
    kept = folder.with_name("kept")
    shutil.copytree(folder, kept)
    used = sum(path.stat().st_size // 4096 + 1 for path in kept.rglob("*")) * 4096
    size = f"size={used + (64 << 10) + room}"
    made = subprocess.run(["mount", "-t", "tmpfs", "-o", size, "none", folder], check=False)
    if made.returncode:
        pytest.skip("only the administrator may mount a small disk")
    try:
        shutil.copytree(kept, folder, dirs_exist_ok=True)
        filler = folder / "filler"
        with open(filler, "wb") as stream:
            free = os.statvfs(folder)
            stream.write(bytes(max(0, free.f_bavail * free.f_bsize - room)))
        yield filler
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)


@by_scenario
def test_the_disk_is_full(prepare, scenario, tmp_path, survived):
    prepared = prepare(scenario)
    for room in DISK_SIZES:
        folder = prepared.lay_out(tmp_path / str(room))
        with small_disk(folder, room) as filler:
            done = ezdl(folder, *scenario.command)
            filler.unlink()
            failed = check_failed(prepared, folder, done, FAILED)
            survived("full disks", failed)
            if failed:
                subprocess.run(["mount", "-o", "remount,size=1g", folder], check=True)
                prepared.check_next_run(folder)
        (tmp_path / "kept").rename(tmp_path / f"kept-{room}")


@by_scenario
def test_the_folder_must_not_be_written_to(prepare, scenario, tmp_path, survived):
    prepared = prepare(scenario)
    folder = prepared.lay_out(tmp_path / "run")
    folders = [folder, *(path for path in folder.rglob("*") if path.is_dir())]
    for one in folders:
        one.chmod(0o555)
    command = [EZDL, *scenario.command]
    if os.geteuid() == 0:  # the administrator may write anywhere, unless that is taken away
        command = ["setpriv", "--bounding-set", "-dac_override,-dac_read_search", *command]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    for one in folders:
        one.chmod(0o755)
    assert check_failed(prepared, folder, done, WRONG_USE)
    assert contents(folder) == prepared.before
    survived("folders that must not be written to")
    prepared.check_next_run(folder)


@by_scenario
def test_memory_is_short(prepare, scenario, tmp_path, survived):
    prepared = prepare(scenario)
    for number, mib in enumerate(MEMORY):
        folder = prepared.lay_out(tmp_path / str(mib))
        done = ezdl(folder, *scenario.command, preexec_fn=limited(resource.RLIMIT_AS, mib << 20))
        failed = check_failed(prepared, folder, done, FAILED, WRONG_USE)
        assert failed or number > 0
        survived("limits of memory", failed)
        if failed:
            prepared.check_next_run(folder)
