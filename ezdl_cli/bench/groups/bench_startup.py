"""How long the command line takes to answer."""

import sys

from ..clock import Clock
from ..group import Group
from ..interleaved_timing import LIMIT, Candidate

OURS = "import sys; sys.argv[0] = 'ezdl'; from ezdl_cli.cli import main; main()"
PROJECTION = "import ezdl_cli; ezdl_cli.project([3.0, 2.0, 1.0, 0.0], 0.9)"


def starting():
    """Help, and a first projection, beside Python itself and the packages that it needs."""
    clock = Clock()

    def command(name, *arguments, **options):
        return Candidate(name, lambda: clock.run([sys.executable, "-P", *arguments]), **options)

    return Group(
        [
            command("ezdl -h", "-c", OURS, "-h"),
            command("ezdl train -h", "-c", OURS, "train", "-h"),
            command("first projection", "-c", PROJECTION),
            command("python", "-c", "pass", kind=LIMIT),
            command("import click", "-c", "import click", kind=LIMIT),
        ],
        "start",
        clock=clock,
    )
