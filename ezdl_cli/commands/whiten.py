"""`ezdl whiten`: principal components of unit variance."""

from dataclasses import asdict

import click

from .. import io
from ..errors import InputError
from ..samples.store import Samples
from ..samples.whitening import fit_whitening, whiten
from ._shared.options import quiet
from ._shared.progress import progress


@click.command(epilog="Example: ezdl whiten patches.npy whitened.npz --components 128")
@click.argument("source", metavar="PATCHES.npy", type=click.Path())
@click.argument("target", metavar="WHITENED.npz", type=click.Path())
@click.option(
    "--components",
    type=click.IntRange(min=1),
    help="Principal components to keep [half of the pixels].",
)
@quiet
def command(source, target, components, quiet):
    """Whiten samples: remove the mean of each, keep principal components, scale to unit variance.

    WHITENED.npz has the samples and the matrices `whitening` and `dewhitening` that lead there and
    back: samples = (patches - mean) · whiteningᵀ.
    """
    io.check_whitened(target)
    with io.open_samples(source) as stored:
        io.check_not_among(target, [source])
        try:
            samples = Samples(stored.array, str(source), stored.stream)
            components = components or samples.n_features // 2
            with progress(len(samples), "Covariance", quiet) as advance:
                found = fit_whitening(samples, components, advance)
        except ValueError as error:
            raise InputError(f"{source}: {error}") from None
        facts = {"source": str(source), "components": components, "patches": stored.about}
        with progress(len(samples), "Whitening", quiet) as advance, whiten(samples, found) as z:
            io.save_whitened(target, _counted(z, advance), len(samples), asdict(found), facts)


def _counted(blocks, advance):
    for block in blocks:
        yield block
        advance(len(block))
