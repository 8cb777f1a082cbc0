"""What `ezdl inpaint`, `upscale` and `deblur` have in common."""

from .grouped_help import path_option
from .image_files import load_atoms
from .option_errors import option_errors
from .progress_bar import fraction_callback, progress

STEPS = 1000  # of the progress bar
MAIN = "Main options"

restoration_dictionary_option = path_option(
    "--dictionary",
    "DICT.npz",
    "Dictionary of patches, from `ezdl train`. The estimate is then denoised by sparse codes.",
    show_default="mean and covariance of similar patches",
    group=MAIN,
)


def run_restoration(label, quiet, restore, files, dictionary, *arguments, named=None, **settings):
    """Run a restoration function with a progress bar, and return its result.

    Parameters
    ----------
    label : str
        Of the progress bar.
    quiet : bool
        Whether to hide it.
    restore : callable
        Function of an image, further `arguments` and `settings`.
    files : ImageFiles
    dictionary : path or None
    named : dict, optional
        Files that parameters of `restore` were read from, for error messages.
    """
    W = load_atoms(dictionary)
    with (
        option_errors(files.source, W=dictionary, **(named or {})),
        progress(STEPS, label, quiet) as advance,
    ):
        callback = fraction_callback(advance, STEPS)
        return restore(files.pixels.values, *arguments, W=W, callback=callback, **settings)
