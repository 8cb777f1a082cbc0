"""`ezdl whiten`: principal components of unit variance."""

from dataclasses import asdict

from .. import io
from ..samples.store import Samples
from ..samples.whitening import fit_whitening, whiten
from ._shared.common_options import quiet_option
from ._shared.grouped_help import new_command, option, path_argument
from ._shared.option_errors import option_errors
from ._shared.parameter_types import Integer
from ._shared.progress_bar import progress


@new_command("ezdl whiten patches.npy whitened.npz --components 128")
@path_argument("source", metavar="PATCHES.npy")
@path_argument("target", metavar="WHITENED.npz")
@option(
    "--components n_components",
    Integer(min=1),
    None,
    "Number of principal components to keep.",
    show_default="half the number of pixels",
)
@quiet_option
def command(source, target, n_components, quiet):
    """Whiten samples: subtract each sample's mean, keep principal components, scale to variance 1.

    WHITENED.npz contains the samples and the matrices `whitening` and `dewhitening`, where
    samples = (patches - mean) · whiteningᵀ, and `dewhitening` leads back to pixels.
    """
    io.check_target(target, ".npz")
    with io.open_samples(source) as stored:
        io.check_not_among(target, [source])
        with option_errors(source):
            samples = Samples(stored.array, "the array", stored.stream)
            with progress(len(samples), "Computing covariance", quiet) as advance:
                whitening = fit_whitening(samples, n_components, advance)
        metadata = io.SampleMetadata(
            source=str(source), components=len(whitening.whitening), patches=stored.metadata
        )
        with progress(len(samples), "Whitening", quiet) as advance, whiten(samples, whitening) as z:
            io.save_whitened(
                target, _counted(z, advance), len(samples), asdict(whitening), metadata
            )


def _counted(blocks, advance):
    """Yield blocks of samples, advancing a progress bar."""
    for block in blocks:
        yield block
        advance(len(block))
