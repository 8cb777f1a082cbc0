"""Names of commands: misspelt ones, those that the shell completes, and `python -m ezdl_cli`."""

import sys

import pytest

from ezdl_cli.cli import COMMANDS

# Define the completion as docs say, and print what bash would offer for a line.
COMPLETE = """
eval "$(_EZDL_COMPLETE=bash_source ezdl)"
compopt() { echo "$2"; }
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_ezdl_completion ezdl
printf '%s\\n' "${COMPREPLY[@]}"
"""


@pytest.fixture
def completions(run):
    """Return what bash offers for the last of some words; "default" are files."""

    def complete(*words):
        done = run("bash", "-c", COMPLETE, "bash", "ezdl", *words)
        assert (done.returncode, done.stderr) == (0, "")
        return done.stdout.split()

    return complete


@pytest.mark.parametrize(
    ("line", "guess"),
    [
        ("trian", "train"),
        ("evalute d.npz", "evaluate"),
        ("train ezld samples.npy d.npz", "ezdl"),
        ("bench chek", "check"),
        ("images imprt a b", "import"),
        ("projections speedup a.csv", "speedups"),
        ("train odl a.npy b.npz --lamda 2", "--lambda"),
        ("info --jso a.npz", "--json"),
        ("--verison", "--version"),
    ],
)
def test_misspelt_names_are_answered_by_similar_ones(refused, line, guess):
    assert f"Did you mean '{guess}'?" in refused("ezdl", *line.split())


def test_several_similar_names_are_offered(refused):
    message = refused("ezdl", "projct")
    assert "Did you mean one of: 'project', 'projections'? (see ezdl -h)" in message


@pytest.mark.parametrize("line", ["xyz", "train xyz", "bench --xyz"])
def test_names_that_resemble_none_are_answered_without_a_guess(refused, line):
    message = refused("ezdl", *line.split())
    assert "No such" in message and "Did you mean" not in message


def test_module_is_the_command(run):
    usage = run(sys.executable, "-m", "ezdl_cli", "-h").stdout
    assert usage.startswith("Usage: ezdl [OPTIONS]")
    done = run(sys.executable, "-m", "ezdl_cli", "info", "nothing.npz")
    assert (done.returncode, done.stderr) == (2, "ezdl: nothing.npz: no such file or folder\n")


def test_bash_completes_commands_options_and_files(completions):
    assert completions("tr") == ["train"]
    assert completions("") == sorted(COMMANDS)
    assert completions("train", "") == ["ezdl", "odl", "rls-dla"]
    assert completions("train", "ezdl", "--atom-") == ["--atom-sparseness", "--atom-rank"]
    assert completions("train", "ezdl", "--inference", "t") == ["topographic"]
    assert completions("extract", "") == ["default"]
    assert completions("bench", "check", "--history", "") == ["default"]
    assert completions("figure", "speed") == ["speedups"]
    assert completions("figure", "speedups", "speed") == ["default"]
    assert completions("figure", "speedups", "a.csv", "b.pdf", "it") == ["iterations"]


def test_commands_are_completed_without_importing_them(run):
    code = (
        "import sys; from ezdl_cli.cli import cli, COMMANDS\n"
        "context = cli.make_context('ezdl', [], resilient_parsing=True)\n"
        "assert [one.value for one in cli.shell_complete(context, 'ex')] == ['extract']\n"
        "assert not {'numpy', 'ezdl_cli.commands.extract'} & set(sys.modules)"
    )
    done = run(sys.executable, "-c", code)
    assert done.returncode == 0, done.stderr
