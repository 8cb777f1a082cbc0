"""Kernels that call each other are one piece of machine code, compiled by one process."""

import os
import subprocess
import sys

import pytest

MODULE = """
from ezdl_cli.core.jit import kernel

@kernel(inline=INLINE)
def reciprocal(x):
    if x == 0.0:
        raise ValueError("zero has no reciprocal", x)
    return 1.0 / x

@kernel
def half_reciprocal(x):
    return 0.5 * reciprocal(x)
"""
HITS = "import module as m; m.half_reciprocal(4.0); s = m.half_reciprocal.stats; "
HITS += "print(sum(s.cache_hits.values()))"


@pytest.fixture(params=[True, False], ids=["inlined", "called"])
def python(request, tmp_path):
    """Start Python with a module of two kernels that are not compiled yet."""
    (tmp_path / "module.py").write_text(MODULE.replace("INLINE", str(request.param)))

    def start(code):
        environment = os.environ | {"EZDL_CACHE_DIR": str(tmp_path / "cache")}
        environment["PYTHONPATH"] = os.pathsep.join([str(tmp_path), *sys.path])
        return subprocess.Popen(
            [sys.executable, "-c", code], env=environment, stdout=subprocess.PIPE, text=True
        )

    return start


def output(process):
    text = process.communicate()[0]
    assert process.returncode == 0
    return text.strip()


def test_called_kernel_is_compiled_as_part_of_its_caller(python):
    code = "import module as m; print(m.half_reciprocal(4.0), m.reciprocal.signatures); "
    code += "print(m.reciprocal(4.0), len(m.reciprocal.signatures))"
    assert output(python(code)).split("\n") == ["0.125 []", "0.25 1"]


@pytest.mark.parametrize("run", ["compiled", "loaded from disk"])
def test_errors_of_called_kernels_are_raised(python, run):
    code = (
        "import module as m\ntry:\n m.half_reciprocal(0.0)\nexcept ValueError as e:\n print(e.args)"
    )
    if run == "loaded from disk":
        assert output(python(HITS)) == "0"
        code += "\nprint(sum(m.half_reciprocal.stats.cache_hits.values()))"
    expected = ["('zero has no reciprocal', 0.0)", *(["1"] if run == "loaded from disk" else [])]
    assert output(python(code)).split("\n") == expected


def test_processes_that_start_together_compile_a_kernel_once(python):
    processes = [python(HITS) for _ in range(4)]
    assert sorted(map(output, processes)) == ["0", "1", "1", "1"]


def test_process_compiles_itself_if_another_one_never_finishes(python, tmp_path):
    assert output(python(HITS)) == "0"
    for machine_code in tmp_path.rglob("*.nb?"):
        machine_code.unlink()
    (lock,) = tmp_path.rglob("*half_reciprocal*.lock")
    holder = f"import fcntl, time; f = open({str(lock)!r}); fcntl.flock(f, fcntl.LOCK_EX); "
    with python(holder + "print('held', flush=True); time.sleep(600)") as process:
        assert process.stdout.readline() == "held\n"
        wait = "import ezdl_cli.core.kernel_dispatcher as k; k.MAX_WAIT = 0.2; "
        assert output(python(wait + HITS)) == "0"
        process.kill()
