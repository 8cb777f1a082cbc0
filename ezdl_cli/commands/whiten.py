"""`ezdl whiten`: principal components of unit variance."""

import click

from .. import io
from ..errors import InputError
from ..samples import Samples
from ..whitening import fit_whitening, whiten
from .options import quiet
from .progress import progress


@click.command(epilog="Example: ezdl whiten patches.npy whitened.npz --components 128")
@click.argument("source", metavar="PATCHES.npy", type=click.Path())
@click.argument("target", metavar="WHITENED.npz", type=click.Path())
@click.option("--components", type=click.IntRange(min=1), default=128, show_default=True)
@quiet
def command(source, target, components, quiet):
    """Whiten samples: remove the mean of each, keep principal components, scale to unit variance.

    WHITENED.npz has the samples and the matrices `whitening` and `dewhitening` that lead there and
    back: samples = (patches - mean) · whiteningᵀ.
    """
    io.check_target(target)
    array, about = io.load_samples(source)
    try:
        samples = Samples(array, str(source))
        with progress(len(samples), "Covariance", quiet) as advance:
            found = fit_whitening(samples, components, advance)
    except ValueError as error:
        raise InputError(f"{source}: {error}") from None
    matrices = {
        "whitening": found.whitening,
        "dewhitening": found.dewhitening,
        "mean": found.mean,
        "variances": found.variances,
    }
    facts = {"source": str(source), "components": components, "patches": about}
    with progress(len(samples), "Whitening", quiet) as advance, whiten(samples, found) as blocks:
        counted = _counted(blocks, advance)
        io.save_whitened(target, counted, len(samples), matrices, facts)


def _counted(blocks, advance):
    for block in blocks:
        yield block
        advance(len(block))
