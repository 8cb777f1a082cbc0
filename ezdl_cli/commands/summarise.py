"""`ezdl summarise`: means and standard errors of measurements."""

import click

from .. import io
from ..experiments.summaries import SUMMARIES
from ._shared.grouped_help import new_command, path_argument
from ._shared.output_paths import check_outputs
from ._shared.summary_tables import load_summary


@new_command("ezdl summarise atoms fits_0.csv fits_1.csv atoms.csv")
@click.argument("name", metavar="NAME", type=click.Choice(list(SUMMARIES)))
@path_argument("inputs", metavar="TABLE.csv...", nargs=-1, required=True)
@path_argument("target", metavar="OUT.csv")
def command(name, inputs, target):
    """Summarise measurements: means over images and seeds, with standard errors.

    NAME is the summary to compute. A summary with the name of a figure is what that figure draws;
    `ezdl figure` writes it as well. `atoms` and `layout` summarise the tables of `ezdl gabor`,
    `resemblance` those of `ezdl compare`. OUT.csv can be passed to `ezdl claims`.

    \b
    Names: iterations, ezdl, odl, rls-dla, envelopes, history, denoising,
    gabor, phases, atoms, layout, resemblance.
    """
    check_outputs([target], inputs)
    io.save_table(target, load_summary(name, inputs))
