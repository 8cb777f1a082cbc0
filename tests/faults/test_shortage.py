"""Full disks, read-only folders and too little memory.

The command reports the reason, existing files are preserved, and the next run gives the correct
result once there is enough space.
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
MEMORY = (100, 600, 1023, 1024, 1400)  # MiB of address space; commands refuse to start below 1024


def check_failed(prepared, folder, done, *codes):
    """Check that the command succeeded or failed with a message, and that no file was lost."""
    if done.returncode:
        assert done.returncode in codes, (done.returncode, done.stderr)
        lines = done.stderr.splitlines()
        assert lines and all(line.startswith("ezdl: ") for line in lines), done.stderr
    prepared.check_names(folder)
    assert not any(map(is_temporary, contents(folder))), "a temporary file was left behind"
    assert done.returncode or contents(folder) == prepared.after
    return done.returncode != 0


@by_scenario
def test_limited_file_size_is_reported(prepare, scenario, tmp_path, survived):
    prepared = prepare(scenario)
    for size in FILE_SIZES:
        folder = prepared.lay_out(tmp_path / str(size))
        too_small = limited(resource.RLIMIT_FSIZE, size)
        done = ezdl(folder, *scenario.command, preexec_fn=too_small)
        failed = check_failed(prepared, folder, done, FAILED)
        assert failed or size > 0
        survived("limits of file size", failed)
        if failed:
            prepared.check_next_run(folder)


@contextmanager
def small_disk(folder, n_free):
    """Mount a disk with this many free bytes over a folder, with a copy of its contents."""
    kept = folder.with_name("kept")
    shutil.copytree(folder, kept)
    used = sum(path.stat().st_size // 4096 + 1 for path in kept.rglob("*")) * 4096
    size = f"size={used + (64 << 10) + n_free}"
    made = subprocess.run(["mount", "-t", "tmpfs", "-o", size, "none", folder], check=False)
    if made.returncode:
        pytest.skip("mounting a small disk requires root")
    try:
        shutil.copytree(kept, folder, dirs_exist_ok=True)
        filler = folder / "filler"
        with open(filler, "wb") as stream:
            free = os.statvfs(folder)
            stream.write(bytes(max(0, free.f_bavail * free.f_bsize - n_free)))
        yield filler
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)


@by_scenario
def test_full_disk_is_reported(prepare, scenario, tmp_path, survived):
    prepared = prepare(scenario)
    for n_free in DISK_SIZES:
        folder = prepared.lay_out(tmp_path / str(n_free))
        with small_disk(folder, n_free) as filler:
            done = ezdl(folder, *scenario.command)
            filler.unlink()
            failed = check_failed(prepared, folder, done, FAILED)
            survived("full disks", failed)
            if failed:
                subprocess.run(["mount", "-o", "remount,size=1g", folder], check=True)
                prepared.check_next_run(folder)
        (tmp_path / "kept").rename(tmp_path / f"kept-{n_free}")


@by_scenario
def test_read_only_folder_is_reported(prepare, scenario, tmp_path, survived):
    prepared = prepare(scenario)
    folder = prepared.lay_out(tmp_path / "run")
    before = contents(folder)
    folders = [folder, *(path for path in folder.rglob("*") if path.is_dir())]
    for one in folders:
        one.chmod(0o555)
    command = [EZDL, *scenario.command]
    if os.geteuid() == 0:  # root may write anywhere unless it drops these capabilities
        command = ["setpriv", "--bounding-set", "-dac_override,-dac_read_search", *command]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    for one in folders:
        one.chmod(0o755)
    assert check_failed(prepared, folder, done, WRONG_USE)
    assert contents(folder) == before
    survived("read-only folders")
    prepared.check_next_run(folder)


@by_scenario
def test_too_little_memory_is_reported(prepare, scenario, tmp_path, survived):
    prepared = prepare(scenario)
    for number, mib in enumerate(MEMORY):
        folder = prepared.lay_out(tmp_path / str(mib))
        done = ezdl(folder, *scenario.command, preexec_fn=limited(resource.RLIMIT_AS, mib << 20))
        failed = check_failed(prepared, folder, done, FAILED, WRONG_USE)
        assert failed or number > 0
        survived("limits of memory", failed)
        if failed:
            prepared.check_next_run(folder)
