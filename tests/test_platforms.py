"""What only some systems have is used in one module, and everything else works without it."""

import ast
import fcntl
import os
import struct
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from helpers import other_system
from helpers.other_system import MODULES, OS_NAMES, SIGNALS
from helpers.smooth_image import smooth_image
from PIL import Image

import ezdl_cli
from ezdl_cli import io, platforms
from ezdl_cli.io.atomic_files import new_name

PACKAGE = Path(ezdl_cli.__file__).parent
COMMANDS = """
ezdl -h
ezdl images import photos grey --quiet
ezdl images import photos grey --quiet
ezdl extract photos patches.npy --per-image 100
ezdl whiten patches.npy whitened.npz
ezdl train ezdl patches.npy d.npz --atoms 8 --epochs 2 --samples-per-epoch 99 --checkpoint-every 1
ezdl train ezdl patches.npy d.npz --atoms 8 --epochs 2 --samples-per-epoch 99
ezdl evaluate d.npz photos table.csv --iterations 2 --sparseness 0.8
ezdl denoise-image photos/a.png clean.png --dictionary d.npz --sigma 25
ezdl project patches.npy patches-0.8.npy --sparseness 0.8
ezdl show d.npz d.png
ezdl info d.npz
ezdl projections speedups speedups.csv --exponents 2:2 --repeats 1
""".strip()


def modules():
    """Every module of the package but the one that may use everything."""
    return [path for path in PACKAGE.rglob("*.py") if path != PACKAGE / "platforms.py"]


def names_used(tree):
    """Yield the modules that are imported, and the attributes of modules, as `os.fork`."""
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                yield from (alias.name for alias in names)
            case ast.ImportFrom(module=module, names=names):
                yield module
                yield from (f"{module}.{alias.name}" for alias in names)
            case ast.Attribute(value=ast.Name(id=module), attr=attribute):
                yield f"{module}.{attribute}"


def text_files_of_any_encoding(tree):
    """Yield the lines that open a text file without stating its encoding."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or any(word.arg == "encoding" for word in node.keywords):
            continue
        match node.func:
            case ast.Name(id="open"):
                modes = [arg.value for arg in node.args[1:2] if isinstance(arg, ast.Constant)]
                if "b" not in "".join(modes) and all(word.arg for word in node.keywords):
                    yield node.lineno
            case ast.Attribute(attr="read_text" | "write_text"):
                yield node.lineno


def test_only_one_module_uses_what_systems_lack():
    lacking = {*MODULES, "msvcrt", "winreg", *(f"signal.{name}" for name in SIGNALS)}
    lacking |= {f"os.{name}" for name in OS_NAMES}
    for path in modules():
        source = path.read_text(encoding="utf-8")
        assert lacking.isdisjoint(names_used(ast.parse(source))), path
        assert "/proc" not in source, path
    used = set(names_used(ast.parse((PACKAGE / "platforms.py").read_text(encoding="utf-8"))))
    assert {"fcntl.flock", "resource.getrlimit", "os.wait4", "os.sched_getaffinity"} <= used


def test_text_files_have_the_same_encoding_everywhere():
    for path in modules():
        lines = list(text_files_of_any_encoding(ast.parse(path.read_text(encoding="utf-8"))))
        assert not lines, (path, lines)
    assert list(text_files_of_any_encoding(ast.parse("open(a)\np.read_text()"))) == [1, 2]


def test_everything_works_on_a_system_that_lacks_much(tmp_path):
    (tmp_path / "photos").mkdir()
    Image.fromarray(smooth_image(32, 40).astype(np.uint8)).save(tmp_path / "photos" / "a.png")
    new_name(tmp_path / "d.npz").touch()  # left behind by a process that may still be running
    done = subprocess.run(
        [sys.executable, other_system.__file__],
        input=COMMANDS,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    made = {path.name for path in tmp_path.iterdir() if path.suffix not in ("", ".tmp")}
    assert made == {
        *("clean.png", "d.npz", "d.png", "patches-0.8.npy", "patches.json", "patches.npy"),
        *("speedups.csv", "table.csv", "whitened.npz"),
    }
    sparse = np.load(tmp_path / "patches-0.8.npy")
    np.testing.assert_allclose(ezdl_cli.sparseness(sparse), 0.8, atol=1e-5)


class Msvcrt:
    """The locks of Windows, by those of Linux: of bytes, held by a file until it is closed."""

    LK_NBLCK, LK_UNLCK = 2, 0

    @classmethod
    def locking(cls, handle, mode, length):
        is_read_only = fcntl.fcntl(handle, fcntl.F_GETFL) & os.O_ACCMODE == os.O_RDONLY
        kind = fcntl.F_RDLCK if is_read_only else fcntl.F_WRLCK
        kind = fcntl.F_UNLCK if mode == cls.LK_UNLCK else kind
        lock = struct.pack("hhqqi0q", kind, os.SEEK_CUR, 0, length, 0)
        try:
            fcntl.fcntl(handle, fcntl.F_OFD_SETLK, lock)
        except BlockingIOError:
            raise PermissionError(13, "Permission denied") from None


def test_locks_of_windows_exclude_each_other(tmp_path, monkeypatch):
    monkeypatch.setattr(platforms, "fcntl", None)
    monkeypatch.setattr(platforms, "msvcrt", Msvcrt)
    monkeypatch.setattr(platforms, "IS_POSIX", False)
    path = tmp_path / "history"
    with io.lock(path):
        for attempt in (io.check_unlocked, lambda path: io.lock(path).__enter__()):
            with pytest.raises(io.Locked, match=f"process {os.getpid()} holds the lock"):
                attempt(path)
    assert not list(tmp_path.iterdir())
    path.with_name("history.lock").touch()
    io.check_unlocked(path)
    with io.lock(path):
        pass


def test_large_files_of_samples_are_mapped_where_they_cannot_be_read(tmp_path, monkeypatch):
    from ezdl_cli.samples import store

    rows = np.random.default_rng(0).standard_normal((50, 6)).astype(np.float32)
    np.save(tmp_path / "rows.npy", rows)
    monkeypatch.setattr(store, "RESIDENT_BYTES", 0)
    monkeypatch.setattr(store, "read_at", None)
    with io.open_samples(tmp_path / "rows.npy") as stored:
        samples = store.Samples(stored.array, stream=stored.stream)
        np.testing.assert_array_equal(samples.pick(np.array([3, 49])), rows[[3, 49]])
        np.testing.assert_array_equal(np.concatenate(list(samples.chunks())), rows)
