"""The command `ezdl`. Subcommands are loaded when they are used, so that help answers at once."""

import errno
import os
import resource
import signal
import sys
import warnings
from contextlib import suppress
from importlib import import_module
from io import TextIOWrapper

import click

from .commands._shared.progress import tell
from .errors import InputError

COMMANDS = {
    "bench": "Measure speed and quality, and tell what has become worse.",
    "claims": "Check the paper's claims with the results.",
    "compare": "Find the atoms of dictionaries in another one.",
    "denoise": "Remove noise that was added to images, with a dictionary: PSNR and SSIM.",
    "denoise-image": "Remove noise from a picture.",
    "evaluate": "Reproduce images with a dictionary: SSIM and PSNR.",
    "extract": "Draw random patches of images.",
    "figure": "Draw a figure of the paper from its table or dictionary.",
    "gabor": "Fit Gabor functions to the atoms of a dictionary.",
    "images": "Get photographs: built-in ones, your own, the McGill database.",
    "info": "Say what a file is and how it was made.",
    "plan": "Say what the pipeline would do, and how long that takes.",
    "project": "Project the rows of an array to a given sparseness.",
    "projections": "Measure the projections, for figures 1, 2, 4 and 5.",
    "report": "Write one page with all that a run of the pipeline has found.",
    "run": "Run the pipeline: all figures, the claims and the report.",
    "show": "Draw the atoms of a dictionary as a picture.",
    "train": "Learn a dictionary.",
    "whiten": "Whiten samples by principal components.",
}

FAILED, WRONG_USE, INTERRUPTED, TERMINATED = 1, 2, 130, 143

# With less, OpenBLAS waits for memory for ever when it is loaded, and LLVM ends the program.
LEAST_MEMORY = {resource.RLIMIT_AS: 1 << 30, resource.RLIMIT_DATA: 1 << 29}
# What others may have set, and our commands cannot work with.
UNWANTED = ("NUMBA_NUM_THREADS", "NUMBA_DISABLE_JIT", "MPLBACKEND")


class LazyGroup(click.Group):
    """A group whose subcommands are the modules of `commands`."""

    def list_commands(self, context):
        return sorted(COMMANDS)

    def get_command(self, context, name):
        if name not in COMMANDS:
            return None
        check_memory()
        return import_module(f".commands.{name.replace('-', '_')}", __package__).command

    def format_commands(self, context, formatter):
        with formatter.section("Commands"):
            formatter.write_dl([(name, COMMANDS[name]) for name in sorted(COMMANDS)])


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Example: ezdl project vectors.npy sparse.npy --sparseness 0.9",
)
@click.version_option(package_name="ezdl", prog_name="ezdl")
def cli():
    """Efficient dictionary learning with sparseness-enforcing projections."""


def check_memory():
    """Refuse limits of memory with which the heavy packages cannot be loaded."""
    for kind, least in LEAST_MEMORY.items():
        limit, _ = resource.getrlimit(kind)
        if limit != resource.RLIM_INFINITY and limit < least:
            wanted = f"at least {least >> 20} MiB are needed"
            raise MemoryError(f"(the limit is {limit >> 20} MiB, {wanted}; see ulimit -a)")


def prepare():
    """Set up what must be set before the heavy packages are loaded.

    What BLAS computes depends on how many threads it has: it gets one, and the threads are ours,
    so that the same seed gives the same bits on any number of cores. There are as many of them as
    `OMP_NUM_THREADS` allows, which Snakemake sets to the threads of a rule. Warnings of the
    packages that decode files say what our own messages say better.
    """
    if not os.environ.get("EZDL_THREADS"):
        os.environ["EZDL_THREADS"] = os.environ.get("OMP_NUM_THREADS", "")
    for library in ("OPENBLAS", "OMP", "MKL", "BLIS"):
        os.environ[f"{library}_NUM_THREADS"] = "1"
    for name in UNWANTED:
        os.environ.pop(name, None)
    if not sys.warnoptions:
        warnings.simplefilter("ignore")
    # Letters that the terminal does not know are written out, as they are on standard error.
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    # Temporary files are removed also when a scheduler ends the command.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(TERMINATED))


def main():
    """Run the command line; errors are one line on standard error and an exit code."""
    prepare()
    try:
        sys.exit(cli.main(prog_name="ezdl", standalone_mode=False) or 0)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.ctx.get_help())
        sys.exit(WRONG_USE)
    except click.UsageError as error:
        where = error.ctx.command_path if error.ctx else "ezdl"
        fail(f"{error.format_message()} (see {where} -h)", WRONG_USE)
    except (click.ClickException, InputError) as error:
        fail(error.format_message() if isinstance(error, click.ClickException) else error)
    except (click.Abort, KeyboardInterrupt):
        fail("interrupted", INTERRUPTED)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(FAILED)
    except MemoryError as error:
        fail(f"not enough memory {error}".strip(), FAILED)
    except RecursionError:
        fail("something in the input is nested too deeply")
    except ImportError as error:
        remedy = "is there too little memory? if not, make setup again"
        fail(f"a part of the program cannot be loaded ({error}); {remedy}", FAILED)
    except RuntimeError as error:
        if "new thread" not in str(error):
            raise
        fail("no thread can be started: too little memory, or too many processes", FAILED)
    except OSError as error:
        if error.errno is None:
            fail(error, FAILED)
        full = error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
        where = f"{error.filename}: " if error.filename else ""
        fail(f"{where}{error.strerror}", FAILED if full else WRONG_USE)


def fail(message, code=WRONG_USE):
    """Say what is wrong in one line and leave; the code tells it where nothing can be said."""
    with suppress(OSError):
        tell(message)
    sys.exit(code)
