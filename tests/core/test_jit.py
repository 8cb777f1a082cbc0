"""The cache of compiled kernels: reused, never stale, never trusted from other users."""

import os
import resource
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import ezdl_cli
from ezdl_cli.core import jit

PACKAGE = Path(ezdl_cli.__file__).parent

EVALUATE = """
import sys
sys.path.insert(0, sys.argv[1])
import numpy as np
from ezdl_cli.core.gradient import _multiply_rows
from ezdl_cli.core import root_finding
assert root_finding.__file__.startswith(sys.argv[1])
print(root_finding.evaluate_auxiliary(np.array([3.0, 2.0]), 1.0, 0.0)[6])
print(sum(root_finding.evaluate_auxiliary.stats.cache_hits.values()))
"""


@pytest.fixture
def copy(tmp_path):
    """Copy the package, so that a test can edit it."""
    shutil.copytree(
        PACKAGE, tmp_path / "copy" / "ezdl_cli", ignore=shutil.ignore_patterns("__pyc*")
    )
    return tmp_path / "copy"


def test_edit_of_a_called_kernel_in_another_file_recompiles(copy, run, tmp_path):
    environment = {"EZDL_CACHE_DIR": str(tmp_path / "cache")}

    def evaluate():
        done = run("python", "-c", EVALUATE, copy, env=environment)
        assert done.returncode == 0, done.stderr
        return [float(line) for line in done.stdout.split()]

    assert evaluate() == [5.0, 0.0]
    assert evaluate() == [5.0, 1.0]  # the second process loads the machine code
    called = copy / "ezdl_cli" / "core" / "soft_thresholding.py"
    text = called.read_text()
    assert "return abs(np.float64(entry))" in text
    called.write_text(text.replace("return abs(np.float64(entry))", "return 2.0 * abs(entry)"))
    assert evaluate() == [10.0, 0.0]


@pytest.mark.parametrize(("ending", "damage"), [(".nbi", lambda _: b""), (".nbc", bytes)])
def test_damaged_machine_code_is_recompiled_and_cached(copy, run, tmp_path, ending, damage):
    environment = {"EZDL_CACHE_DIR": str(tmp_path / "cache")}

    def evaluate():
        done = run("python", "-c", EVALUATE, copy, env=environment)
        assert (done.returncode, done.stderr) == (0, "")
        return [float(line) for line in done.stdout.split()]

    assert evaluate() == [5.0, 0.0]
    files = list((tmp_path / "cache").rglob(f"*{ending}"))
    assert files
    for file in files:
        file.write_bytes(damage(file.stat().st_size))
    assert evaluate() == [5.0, 0.0]
    assert evaluate() == [5.0, 1.0]


def test_machine_code_that_cannot_be_cached_is_used(copy, run, tmp_path):
    full = {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))}
    environment = {"EZDL_CACHE_DIR": str(tmp_path / "cache"), "PYTHONDONTWRITEBYTECODE": "1"}
    done = run("python", "-c", EVALUATE, copy, env=environment, **full)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.split() == ["5.0", "0"]
    assert not list((tmp_path / "cache").rglob("*.nb?"))


def test_fingerprint_covers_all_files_with_kernels():
    names = {path.name for path in jit.kernel_sources()}
    assert {"soft_thresholding.py", "short_rows.py", "hoyer.py", "gradient.py"} <= names
    assert "sparseness.py" not in names


def test_kernels_are_compiled_in_memory_without_a_writable_folder(run, tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("")
    code = "import ezdl_cli.core.jit as j; print(j.cache_folder())"
    done = run("python", "-c", code, env={"EZDL_CACHE_DIR": str(blocked / "below")})
    assert done.stdout.strip() == "None", done.stderr


@pytest.mark.parametrize("mode", [0o777, 0o770, 0o700])
def test_machine_code_writable_by_other_users_is_not_run(run, tmp_path, mode):
    code = "import ezdl_cli.core.jit as j; print(j.cache_folder())"
    environment = {"EZDL_CACHE_DIR": str(tmp_path)}
    folder = Path(run("python", "-c", code, env=environment).stdout.strip())
    assert folder.parent == tmp_path and folder.stat().st_mode & 0o777 == 0o700
    folder.chmod(mode)
    done = run("python", "-c", code, env=environment)
    assert done.stdout.strip() == (str(folder) if mode == 0o700 else "None"), done.stderr


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can change the owner of a folder")
def test_machine_code_of_another_user_is_not_run(run, tmp_path):
    code = "import ezdl_cli.core.jit as j; print(j.cache_folder())"
    environment = {"EZDL_CACHE_DIR": str(tmp_path)}
    os.chown(run("python", "-c", code, env=environment).stdout.strip(), 65534, 65534)
    assert run("python", "-c", code, env=environment).stdout.strip() == "None"


def test_cache_folder_of_other_packages_is_unchanged(run):
    code = "import numba; b = numba.config.CACHE_DIR; import ezdl_cli.core.projection; "
    done = run("python", "-c", code + "print(numba.config.CACHE_DIR == b)")
    assert done.stdout.strip() == "True", done.stderr


@pytest.mark.slow
def test_cached_machine_code_gives_the_same_bits(tmp_path):
    code = """
import zlib, numpy as np, ezdl_cli as ez
x = np.random.default_rng(0).standard_normal((300, 20))
W = np.random.default_rng(1).standard_normal((65, 20))
training = {"n_epochs": 2, "samples_per_epoch": 300, "random_state": 0}
learners = (
    ez.EZDL(33, 0.8, **training),
    ez.EZDL(36, 0.8, inference="topographic", **training),
    ez.EZDL(36, 0.8, inference="rank", **training),
    ez.ODL(33, 0.5, **training),
    ez.RLSDLA(33, 3, **training),
)
learned = [(learner.fit(x).components_, learner.history_) for learner in learners]
image = np.random.default_rng(2).integers(0, 256, (64, 64))
reproduced = ez.reproduce(image, ez.default_dictionary(), 0.9, 10)
arrays = (ez.lasso(x, W, 0.3), ez.ormp(x, W, 5), *sum(learned, ()), reproduced)
print([zlib.crc32(np.asarray(array).tobytes()) for array in arrays])
"""
    environment = {**os.environ, "EZDL_CACHE_DIR": str(tmp_path)}
    found = [
        subprocess.run(
            [sys.executable, "-c", code], env=environment, check=True, capture_output=True
        ).stdout
        for _ in range(2)
    ]
    assert found[0] == found[1]
