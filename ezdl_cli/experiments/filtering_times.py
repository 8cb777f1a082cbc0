"""Time to filter an image with the atoms of a dictionary, separably and directly."""

import os
from contextlib import contextmanager

import numpy as np

from ..bench.interleaved_timing import Candidate, time_interleaved
from ..coding.image_filtering import filter_responses

TIMED_METHODS = ("separable", "direct")


def filtering_times(W, image_size=256, repeats=5, advance=lambda n: None):
    """Time both methods on one thread, and compare their responses.

    The image is white noise of unit variance, square, of the type of W.

    Parameters
    ----------
    W : array (n_atoms, side²)
        Atoms of rank 1, one per row.
    image_size : int
        Height and width of the image.
    repeats : int
        Interleaved rounds; the fastest counts.
    advance : callable
        Called with 1 after each of repeats + 1 rounds.

    Returns
    -------
    list of dict
        One row per method: `method`, `seconds`, and `relative_error`, the largest difference to
        the direct responses divided by the largest of these.

    Raises
    ------
    ValueError
        If an atom has a rank above 1, or the image is smaller than an atom.
    """
    image = np.random.default_rng(0).standard_normal((image_size, image_size)).astype(W.dtype)
    with _one_thread():
        # Also the check of the input, since the timing would take a while to get there.
        results = {method: filter_responses(image, W, method) for method in TIMED_METHODS}
        found = time_interleaved(
            [_candidate(method, image, W, results[method]) for method in TIMED_METHODS],
            n_rounds=repeats,
            advance=advance,
        )
    expected = results["direct"]
    largest = np.abs(expected).max()
    return [
        {
            "method": method,
            "seconds": found[method].minimum,
            "relative_error": float(np.abs(result - expected).max() / largest),
        }
        for method, result in results.items()
    ]


def _candidate(method, image, W, out):
    """Return a method as a candidate that writes to an existing array."""
    return Candidate(method, lambda: filter_responses(image, W, method, out))


@contextmanager
def _one_thread():
    """Use a single thread."""
    before = os.environ.get("EZDL_THREADS")
    os.environ["EZDL_THREADS"] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ["EZDL_THREADS"]
        else:
            os.environ["EZDL_THREADS"] = before
