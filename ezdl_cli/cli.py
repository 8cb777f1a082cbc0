"""The command `ezdl`. Subcommands are imported when they are used, so that help is fast."""

import errno
import os
import re
import signal
import sys
import warnings
from contextlib import suppress
from importlib import import_module
from io import TextIOWrapper

import click

from .commands._shared.console import echo_stderr
from .errors import InputError
from .exit_codes import FAILED, INTERRUPTED, TERMINATED, USAGE_ERROR
from .platforms import memory_limit

COMMANDS = {
    "bench": "Measure speed and quality, and detect regressions.",
    "claims": "Judge the claims of the paper by the results.",
    "compare": "Compare the atoms of dictionaries.",
    "deblur": "Sharpen an image that was blurred by a known kernel.",
    "denoise": "Add noise to images, remove it, and measure the quality.",
    "denoise-image": "Remove noise from an image.",
    "evaluate": "Reproduce images from sparse codes, and measure the quality.",
    "extract": "Extract random patches from images.",
    "figure": "Draw a figure of the paper.",
    "gabor": "Fit Gabor functions to the atoms of a dictionary.",
    "images": "Prepare photographs: built-in, your own, or the McGill database.",
    "info": "Show what a file contains and how it was produced.",
    "init": "Create a project folder for customising the experiments.",
    "inpaint": "Fill in the missing pixels of an image.",
    "plan": "List the steps that `ezdl run` would run, and their time.",
    "project": "Project the rows of an array to a given sparseness.",
    "projections": "Measure the sparseness projection, for figures 1, 2, 4 and 5.",
    "report": "Write all results of the pipeline as an HTML page or an article.",
    "restore": "Reduce, blur or mask images, restore them, and measure the quality.",
    "run": "Run the pipeline: all figures, the claims and the report.",
    "show": "Draw the atoms of a dictionary as an image.",
    "train": "Learn a dictionary.",
    "upscale": "Enlarge an image.",
    "whiten": "Whiten samples by principal component analysis.",
}

# Below these limits OpenBLAS waits forever for memory when it is loaded, and LLVM aborts.
MIN_MEMORY = {"AS": 1 << 30, "DATA": 1 << 29}
# Settings of other programs that would break this one.
IGNORED_VARIABLES = ("NUMBA_NUM_THREADS", "NUMBA_DISABLE_JIT", "MPLBACKEND")


class LazyGroup(click.Group):
    """A group whose subcommands are the modules of `commands`, imported on first use."""

    def get_command(self, ctx, cmd_name):
        if cmd_name not in COMMANDS:
            return None
        check_memory()
        return import_module(f".commands.{cmd_name.replace('-', '_')}", __package__).command

    def shell_complete(self, ctx, incomplete):
        """Complete names of commands without importing them."""
        from click.shell_completion import CompletionItem

        names = [name for name in COMMANDS if name.startswith(incomplete)]
        commands = [CompletionItem(name, help=COMMANDS[name]) for name in names]
        return commands + click.Command.shell_complete(self, ctx, incomplete)

    def format_commands(self, ctx, formatter):
        with formatter.section("Commands"):
            formatter.write_dl([(name, COMMANDS[name]) for name in sorted(COMMANDS)])


@click.group(
    cls=LazyGroup,
    commands=dict.fromkeys(COMMANDS),  # their names; `get_command` returns the commands
    context_settings={"help_option_names": ["-h", "--help"], "show_default": True},
    epilog="Example: ezdl project vectors.npy sparse.npy --sparseness 0.9",
)
@click.version_option(package_name="ezdl", prog_name="ezdl")
def cli():
    """Efficient dictionary learning with sparseness-enforcing projections.

    `ezdl COMMAND -h` explains a command.
    """


def check_memory():
    """Raise MemoryError if numba and NumPy cannot be imported within the memory limits."""
    for kind, minimum in MIN_MEMORY.items():
        limit = memory_limit(kind)
        if limit is not None and limit < minimum:
            needed = f"at least {minimum >> 20} MiB are needed"
            raise MemoryError(f"(the limit is {limit >> 20} MiB, {needed}; see ulimit -a)")


def prepare():
    """Set up the process, before numba, NumPy and Matplotlib are imported.

    Results of BLAS depend on its number of threads, so it is limited to one, and this package uses
    threads of its own: the same seed gives the same bits on any number of cores. `OMP_NUM_THREADS`,
    which Snakemake sets to the threads of a rule, limits their number.
    """
    for handle in (0, 1, 2):
        # Otherwise the next file that is opened would get the number of a closed standard stream.
        try:
            os.fstat(handle)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
    if not os.environ.get("EZDL_THREADS"):
        os.environ["EZDL_THREADS"] = os.environ.get("OMP_NUM_THREADS", "")
    for library in ("OPENBLAS", "OMP", "MKL", "BLIS"):
        os.environ[f"{library}_NUM_THREADS"] = "1"
    for name in IGNORED_VARIABLES:
        os.environ.pop(name, None)
    if not sys.warnoptions:
        # Decoders warn about damaged files, which our own messages explain.
        warnings.simplefilter("ignore")
    # As on standard error, escape characters that the terminal cannot show.
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    # Exit normally when a scheduler terminates the process, so that temporary files are removed.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(TERMINATED))


def main():
    """Run the command line; an error is one line on standard error and an exit code."""
    prepare()
    try:
        sys.exit(cli.main(prog_name="ezdl", standalone_mode=False) or 0)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.ctx.get_help())
        sys.exit(USAGE_ERROR)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(FAILED)
    except (Exception, KeyboardInterrupt) as error:
        message, code = describe(error)
        if message is None:
            raise
        with suppress(OSError):  # the exit code still says that it failed
            echo_stderr(message)
        sys.exit(code)


def describe(error):
    """Return the message and the exit code for an exception; (None, None) if it is a bug."""
    match error:
        case click.UsageError():
            command = error.ctx.command_path if error.ctx else "ezdl"
            message = re.sub(r"\((Did you mean .*\?)\)$", r"\1", error.format_message())
            return f"{message} (see {command} -h)", USAGE_ERROR
        case click.ClickException():
            return error.format_message(), USAGE_ERROR
        case InputError():
            return error, USAGE_ERROR
        case click.Abort() | KeyboardInterrupt():
            return "interrupted", INTERRUPTED
        case MemoryError():
            return f"not enough memory {error}".strip(), FAILED
        case RecursionError():
            return "the input is nested too deeply", USAGE_ERROR
        case ImportError():
            remedy = "free some memory, or install ezdl again"
            return f"a part of the program cannot be imported ({error}); {remedy}", FAILED
        case RuntimeError() if "new thread" in str(error):
            return "no thread can be started; free some memory, or end other processes", FAILED
        case OSError(errno=None):
            return error, FAILED
        case OSError():
            is_full = error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
            path = f"{error.filename}: " if error.filename else ""
            return f"{path}{error.strerror}", FAILED if is_full else USAGE_ERROR
    return None, None
