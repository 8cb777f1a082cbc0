"""The command line."""

import os
import time
import tracemalloc

import click
import numpy as np
import pytest

import ezdl_cli as ez
from ezdl_cli import io
from ezdl_cli.cli import COMMANDS, cli
from ezdl_cli.commands import project


@pytest.fixture
def vectors(tmp_path):
    x = np.random.default_rng(0).standard_normal((7, 30)).astype(np.float32)
    np.save(tmp_path / "in.npy", x)
    return x


def test_help_imports_no_heavy_package(run):
    code = (
        "import sys; from ezdl_cli.cli import cli\n"
        "cli.main(['-h'], standalone_mode=False)\n"
        "print(*{'numba', 'numpy', 'matplotlib', 'skimage', 'rich'} & set(sys.modules), sep=',')"
    )
    done = run("python", "-c", code)
    assert done.stdout.splitlines()[-1] == "", done.stdout


def all_commands():
    """Every command and subcommand, by its name."""
    found = {}
    for name in COMMANDS:
        command = cli.get_command(None, name)
        found[name] = command
        for part, subcommand in getattr(command, "commands", {}).items():
            found[f"{name} {part}"] = subcommand
    return found


@pytest.mark.parametrize("command", ["", *all_commands()])
def test_every_command_has_help_with_an_example(run_here, command):
    done = run_here("ezdl", *command.split(), "-h")
    assert done.returncode == 0
    assert "Usage: ezdl" in done.stdout
    assert done.stdout.splitlines()[-1].startswith("  Example: ezdl")
    assert max(map(len, done.stdout.splitlines())) <= 80


def test_every_option_has_a_help_text_that_is_a_sentence():
    for name, command in all_commands().items():
        assert command.help[0].isupper(), name
        for option in command.params:
            if isinstance(option, click.Option):
                text = option.help.partition("  [default")[0]
                assert text[0].isupper() and text.endswith("."), (name, option.opts, text)


def test_help_lists_the_main_options_first_and_the_general_ones_last(run_here):
    lines = run_here("ezdl", "train", "ezdl", "-h").stdout.splitlines()
    titles = [line for line in lines if line.endswith(":") and not line.startswith(" ")]
    assert titles[0] == "Main options:" and titles[-1] == "General options:"
    main = lines[lines.index("Main options:") : lines.index(titles[1])]
    names = [line.split()[0] for line in main if line.startswith("  --")]
    assert names == ["--atoms", "--epochs", "--samples-per-epoch", "--sparseness", "--step-size"]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_rejects_unknown_options_in_one_line(refused, command):
    assert "--no-such-option" in refused("ezdl", command, "--no-such-option", alone=True)


def test_project_writes_the_result_of_the_function(run, vectors, tmp_path):
    done = run("ezdl", "project", "in.npy", "out.npy", "--sparseness", "0.8", "--norm", "2")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    result = np.load(tmp_path / "out.npy")
    assert result.dtype == np.float32
    np.testing.assert_array_equal(result, ez.project(vectors, 0.8, norm=2.0))
    assert sorted(os.listdir(tmp_path)) == ["in.npy", "out.npy"]


@pytest.mark.parametrize("kind", ["bytes", "columns"])
def test_project_converts_types_without_a_copy_in_memory(tmp_path, kind):
    x = np.arange(1 << 22) % 251
    x = x.astype(np.uint8) if kind == "bytes" else np.asfortranarray(x.reshape(2, 1024, -1), float)
    np.save(tmp_path / "in.npy", x)
    names = [str(tmp_path / name) for name in ("in.npy", "out.npy")]
    arguments = [*names, "--sparseness", "0.8", "--quiet"]
    project.command.main(arguments, standalone_mode=False)  # kernels may have to be compiled
    tracemalloc.start()
    project.command.main(arguments, standalone_mode=False)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    np.testing.assert_array_equal(np.load(tmp_path / "out.npy"), ez.project(x, 0.8))
    assert peak < x.size  # a copy takes eight bytes per entry


def test_project_can_replace_its_input(run_here, vectors, tmp_path):
    run_here("ezdl", "project", "in.npy", "in.npy", "--sparseness", "0.8")
    np.testing.assert_array_equal(np.load(tmp_path / "in.npy"), ez.project(vectors, 0.8))


def bad_arrays():
    nan = np.ones((5, 4))
    nan[3, 1] = np.nan
    return {
        "nan": nan,
        "zero": np.zeros(3),
        "complex": np.ones(3, complex),
        "text": np.array(["a", "b"]),
        "number": np.float64(3.0),
        "single": np.ones((4, 1)),
    }


@pytest.mark.parametrize("name", bad_arrays())
def test_arrays_that_cannot_be_projected_are_rejected_without_output(refused, tmp_path, name):
    np.save(tmp_path / "in.npy", bad_arrays()[name])
    (tmp_path / "out.npy").write_text("older")
    message = refused("ezdl", "project", "in.npy", "out.npy", "--sparseness", "0.5")
    assert "in.npy" in message
    if name == "nan":
        assert "row 3" in message
    assert (tmp_path / "out.npy").read_text() == "older"
    assert sorted(os.listdir(tmp_path)) == ["in.npy", "out.npy"]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (None, "no such file"),
        (b"", "cannot be read"),
        (b"a line of text\n", "cannot be read"),
        (b"\x93NUMPY\x01\x00v\x00{'descr': '|O', 'fortran_order': False, 'shape': (3,)}\n", ".npy"),
        (b"\x93NUMPY\x01\x00\x76\x00", "cannot be read"),
    ],
)
def test_files_that_are_not_arrays_are_rejected_in_one_line(refused, tmp_path, content, reason):
    if content is not None:
        (tmp_path / "in.npy").write_bytes(content)
    message = refused("ezdl", "project", "in.npy", "out.npy", "--sparseness", "0.5")
    assert "in.npy" in message and reason in message


def test_archives_and_folders_are_rejected(refused, vectors, tmp_path):
    np.savez(tmp_path / "many.npz", vectors)
    refused("ezdl", "project", "many.npz", "out.npy", "--sparseness", "0.5")
    refused("ezdl", "project", ".", "out.npy", "--sparseness", "0.5")
    refused("ezdl", "project", "in.npy", "no/folder/out.npy", "--sparseness", "0.5")
    refused("ezdl", "project", "in.npy", ".", "--sparseness", "0.5")
    assert sorted(os.listdir(tmp_path)) == ["in.npy", "many.npz"]


@pytest.mark.parametrize(
    "arguments",
    [
        ["nonsense"],
        ["project", "in.npy"],
        ["project", "in.npy", "out.npy"],
        ["project", "in.npy", "out.npy", "--sparseness", "high"],
        ["project", "in.npy", "out.npy", "--sparseness", "1.5"],
        ["project", "in.npy", "out.npy", "--sparseness", "0.5", "--norm", "-1"],
        ["project", "in.npy", "out.npy", "--sparseness", "0.5", "--solver", "magic"],
        ["figure", "nonsense", "out.pdf"],
        ["figure", "evaluations", "out.pdf"],
        ["figure", "flowchart", "out.png"],
        ["projections", "evaluations", "t.csv", "--exponents", "9:3"],
        ["projections", "evaluations", "t.csv", "--exponents", "2:40"],
        ["projections", "speedups", "t.csv", "--seed", "-1"],
        ["projections", "gradient", "t.csv", "--exponents", "5:8"],
        ["projections", "properties", "t.csv", "--vectors", "0"],
    ],
)
def test_usage_errors_are_one_line(refused, vectors, tmp_path, arguments):
    refused("ezdl", *arguments)
    assert os.listdir(tmp_path) == ["in.npy"]


def test_paths_may_contain_spaces_and_start_with_a_dash(run_here, vectors, tmp_path):
    done = run_here("ezdl", "project", "in.npy", "--sparseness", "0.5", "--", "-an 'odd' name.npy")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "-an 'odd' name.npy").exists()


def test_interruption_leaves_no_partial_file(tmp_path, vectors):
    import signal
    import subprocess
    import sys
    from pathlib import Path

    big = np.lib.format.open_memmap(
        tmp_path / "big.npy", mode="w+", dtype=np.float64, shape=(20_000, 1500)
    )
    big[:] = np.random.default_rng(0).random(1500)
    ezdl, options = (
        Path(sys.executable).parent / "ezdl",
        ("--sparseness", "0.9", "--solver", "bisection"),
    )
    np.save(tmp_path / "small.npy", np.array(big[:2]))
    # Compile the kernels before the interruption.
    subprocess.run([ezdl, "project", "small.npy", "small.npy", *options], cwd=tmp_path, check=True)
    (tmp_path / "small.npy").unlink()
    process = subprocess.Popen(
        [ezdl, "project", "big.npy", "out.npy", *options],
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        text=True,
    )
    waited = time.monotonic() + 60
    while not list(tmp_path.glob(".ezdl-*")) and time.monotonic() < waited:
        time.sleep(0.005)
    process.send_signal(signal.SIGINT)
    _, message = process.communicate(timeout=60)
    assert process.returncode == 130, message
    assert message.strip() == "ezdl: interrupted"
    assert sorted(os.listdir(tmp_path)) == ["big.npy", "in.npy"]


def test_a_full_disk_gives_exit_code_one(vectors, tmp_path, refused):
    limited = "ulimit -f 1; exec ezdl project in.npy out.npy --sparseness 0.5"
    np.save(tmp_path / "in.npy", np.random.default_rng(0).random((500, 10)))
    refused("bash", "-c", f"trap '' XFSZ; {limited}", code=1)
    assert os.listdir(tmp_path) == ["in.npy"]


def test_figure_is_written_with_png_and_table(run, tmp_path):
    assert run("ezdl", "figure", "flowchart", "f.pdf").returncode == 0
    assert (tmp_path / "f.pdf").read_bytes().startswith(b"%PDF")
    assert (tmp_path / "f.png").read_bytes().startswith(b"\x89PNG")
    assert set(io.load_table(tmp_path / "f.csv")["kind"]) >= {"box", "arrow"}


@pytest.mark.parametrize(
    "content",
    ["", "n\n", "a,b\n1\n", "n,solver\n1,2\n", "\x00\x01", 'n,"solver\n', "n,mean\nx,y\n"],
)
def test_invalid_tables_are_rejected_in_one_line(refused, tmp_path, content):
    (tmp_path / "t.csv").write_text(content)
    message = refused("ezdl", "figure", "evaluations", "t.csv", "f.pdf")
    assert "t.csv" in message
    assert os.listdir(tmp_path) == ["t.csv"]


@pytest.mark.parametrize(
    "header",
    [
        "{'descr': '<f8', 'fortran_order': False, 'shape': (1180591620717411303424, 5), }",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (4611686018427387904, 8), }",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (True, 5), }",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (3",
        "{[]: 1}",
        "  {'a': 1}",
    ],
)
def test_damaged_npy_headers_are_rejected_in_one_line(refused, tmp_path, header):
    text = header.ljust(117).encode() + b"\n"
    (tmp_path / "in.npy").write_bytes(b"\x93NUMPY\x01\x00v\x00" + text + bytes(64))
    refused("ezdl", "project", "in.npy", "out.npy", "--sparseness", "0.5")
    (tmp_path / "in.npy").write_bytes(b"PK\x03\x04 no archive")
    refused("ezdl", "project", "in.npy", "out.npy", "--sparseness", "0.5")


def test_only_regular_files_are_replaced(run_here, refused, vectors, tmp_path):
    os.mkfifo(tmp_path / "pipe")
    refused("ezdl", "project", "in.npy", "pipe", "--sparseness", "0.5")
    (tmp_path / "real.npy").write_text("older")
    (tmp_path / "real.npy").chmod(0o600)
    (tmp_path / "link.npy").symlink_to("real.npy")
    assert run_here("ezdl", "project", "in.npy", "link.npy", "--sparseness", "0.5").returncode == 0
    assert (tmp_path / "link.npy").is_symlink()
    assert np.load(tmp_path / "real.npy").shape == vectors.shape
    assert (tmp_path / "real.npy").stat().st_mode & 0o777 == 0o600
    long_name = "n" * 250 + ".npy"
    assert run_here("ezdl", "project", "in.npy", long_name, "--sparseness", "0.5").returncode == 0


def test_failed_figure_leaves_files_unchanged(refused, tmp_path):
    columns = "n,solver,vectors,mean,standard_deviation\n"
    for row in ("-4,newton,5,1,1", "4,newton,5,1,-1", "inf,newton,5,1,1"):
        (tmp_path / "t.csv").write_text(f"{columns}{row}\n")
        refused("ezdl", "figure", "evaluations", "t.csv", "f.pdf")
    (tmp_path / "a.csv").write_text("quantity,alpha,value\npsi,0,1\n")
    refused("ezdl", "figure", "auxiliary", "a.csv", "f.pdf")
    (tmp_path / "f.pdf").mkdir()
    refused("ezdl", "figure", "flowchart", "f.pdf")
    assert sorted(os.listdir(tmp_path)) == ["a.csv", "f.pdf", "t.csv"]


def test_commands_work_in_any_locale(run, vectors, tmp_path):
    (tmp_path / "in.npy").rename(tmp_path / "é→.npy")
    old = {"LC_ALL": "POSIX", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}
    for environment in ({"PYTHONIOENCODING": "ascii"}, old):
        for command in ("project -h", "gabor -h", "info é→.npy", "evaluate -h"):
            done = run("ezdl", *command.split(), env=environment)
            assert (done.returncode, done.stderr) == (0, ""), command


def test_exit_code_is_set_even_if_stderr_is_full(run):
    done = run("bash", "-c", "ezdl info nothing 2> /dev/full")
    assert done.returncode == 2


@pytest.mark.parametrize("limit", ["--as=900000000", "--data=100000000"])
def test_memory_limit_too_low_to_start_is_reported(refused, limit):
    message = refused("prlimit", limit, "ezdl", "info", "nothing", code=1)
    assert "not enough memory" in message and "ulimit" in message


def test_settings_of_other_programs_are_ignored(run, vectors):
    others = {"NUMBA_NUM_THREADS": "0", "NUMBA_DISABLE_JIT": "1", "MPLBACKEND": "none such"}
    done = run("ezdl", "project", "in.npy", "out.npy", "--sparseness", "0.8", env=others)
    assert (done.returncode, done.stderr) == (0, "")


def test_read_only_file_is_not_overwritten(refused, vectors, tmp_path):
    (tmp_path / "out.npy").write_text("precious")
    (tmp_path / "out.npy").chmod(0o444)
    assert "read-only" in refused("ezdl", "project", "in.npy", "out.npy", "--sparseness", "0.8")
    assert (tmp_path / "out.npy").read_text() == "precious"


@pytest.mark.parametrize(
    ("command", "named"),
    [
        ("projections speedups a.csv --sparseness nan", "--sparseness"),
        ("projections speedups a.csv --initial-sparseness nan", "--initial-sparseness"),
        ("projections sparseness a.csv --points 100000000000000000000", "--points"),
        ("projections evaluations a.csv --vectors 100000000000000000000", "--vectors"),
        ("denoise d.npz photos t.csv --distance nan", "--distance"),
        ("train ezdl in.npy d.npz --grid 0x16", "--grid"),
        ("train ezdl in.npy d.npz --atoms 4 --step-size -1", "ezdl: --step-size must"),
        ("train odl in.npy d.npz --atoms 4 --lambda 0", "ezdl: --lambda must"),
        ("train rls-dla in.npy d.npz --atoms 4 --nonzeros 5", "ezdl: --nonzeros must"),
        ("project in.npy out.npy --sparseness 1.5", "ezdl: --sparseness must"),
        ("project in.npy out.npy --sparseness 0.5 --norm -1", "ezdl: --norm must"),
        ("whiten in.npy w.npz --components 30", "--components"),
        ("figure flowchart .", ".pdf"),
        (f"plan --cores {'9' * 5000}", "--cores"),
    ],
    ids=lambda text: text[:60],
)
def test_values_out_of_range_are_blamed_on_their_option(refused, vectors, tmp_path, command, named):
    assert named in refused("ezdl", *command.split())
    assert os.listdir(tmp_path) == ["in.npy"]


@pytest.mark.parametrize(
    ("command", "named"),
    [
        ("extract  e.npy", "empty"),
        ("images import  new", "empty"),
        ("info ", "no such file"),
        ("figure flowchart ", ".pdf"),
        ("extract . ", ".npy"),
    ],
)
def test_empty_path_is_not_the_current_folder(refused, vectors, command, named):
    assert named in refused("ezdl", *command.split(" "))
