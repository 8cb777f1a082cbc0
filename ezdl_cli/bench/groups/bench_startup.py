"""Benchmarks of the command line: the time until it answers."""

import sys

from ..benchmark_group import BenchmarkGroup
from ..clock import Clock
from ..interleaved_timing import LIMIT, Candidate

COMMAND = "import sys; sys.argv[0] = 'ezdl'; from ezdl_cli.cli import main; main()"
PROJECTION = "import ezdl_cli; ezdl_cli.project([3.0, 2.0, 1.0, 0.0], 0.9)"


def startup():
    """Help and a first projection, compared with Python and the import of click."""
    clock = Clock()

    def process(name, *arguments, **options):
        return Candidate(name, lambda: clock.run([sys.executable, "-P", *arguments]), **options)

    return BenchmarkGroup(
        [
            process("ezdl -h", "-c", COMMAND, "-h"),
            process("ezdl train -h", "-c", COMMAND, "train", "-h"),
            process("first projection", "-c", PROJECTION),
            process("python", "-c", "pass", kind=LIMIT),
            process("import click", "-c", "import click", kind=LIMIT),
        ],
        "start",
        clock=clock,
        about="CPU time of a process that prints help, or that imports the package and projects a "
        "vector with kernels that were compiled before.",
    )
