"""Numbers, titles and captions of the figures, in the order of the paper."""

from dataclasses import dataclass

ERROR_BARS = "Error bars: standard error over dictionaries learned with different random seeds."


@dataclass(frozen=True)
class Caption:
    """The number of a figure in the paper, its title and the text below it."""

    number: str
    title: str
    text: str


CAPTIONS = {
    "sparseness": Caption(
        "1",
        "Hoyer's sparseness measure in two dimensions",
        "Hoyer's sparseness measure of two-dimensional vectors. The dashed lines are contour "
        "levels at intervals of 0.25.",
    ),
    "auxiliary": Caption(
        "2",
        "The auxiliary function and its derivative",
        "The auxiliary function and its derivative (scaled) for a random vector. The derivative "
        "has steps at the entries of the vector; between the two entries next to the root the "
        "offset has a closed form.",
    ),
    "flowchart": Caption(
        "3",
        "Flowchart of the projection",
        "Flowchart of the paper's algorithm for sparseness-enforcing projections.",
    ),
    "evaluations": Caption(
        "4",
        "Evaluations needed by four root finders",
        "Evaluations of the auxiliary function until the final interval is found: mean and "
        "standard deviation over random vectors with entries drawn uniformly from [0, 1].",
    ),
    "speedups": Caption(
        "5",
        "Speed-ups over Hoyer's projection",
        "Speed-ups over Hoyer's algorithm, single-threaded and in place, for uniform random "
        "vectors that were first projected to the initial sparseness.",
    ),
    "gabor": Caption(
        "6",
        "Gabor functions fitted to the atoms",
        "Frequency and envelope widths of Gabor functions fitted to the atoms of EZDL "
        "dictionaries, over the sparseness of the codes used in learning. Means over all "
        f"accepted fits. {ERROR_BARS}",
    ),
    "phases": Caption(
        "7",
        "Phases of the fitted Gabor functions",
        "Phases of the fitted Gabor functions, folded to the range from 0 (even symmetry) to π/2 "
        f"(odd symmetry). {ERROR_BARS}",
    ),
    "whitened-topographic": Caption(
        "8a",
        "Topographic dictionary on whitened patches",
        "Two times overcomplete dictionary learned by EZDL on whitened patches, topographic "
        "inference model on a 16 × 16 grid, codes of sparseness 0.85. Neighbouring atoms are "
        "similar.",
    ),
    "whitened-rank": Caption(
        "8b",
        "Rank-1 topographic dictionary on whitened patches",
        "As Figure 8a, with the rank-1 topographic inference model. Atoms in the same row or "
        "column are similar.",
    ),
    "rank1-ordinary": Caption(
        "9a",
        "Atoms of rank 1 on raw pixels",
        "Dictionary learned by EZDL on raw pixels, atoms replaced by their best rank-1 "
        "approximation after each epoch, ordinary inference model.",
    ),
    "rank1-topographic": Caption(
        "9b",
        "Atoms of rank 1 on raw pixels, topographic",
        "As Figure 9a, with the topographic inference model.",
    ),
    "iterations": Caption(
        "10a",
        "Reproduction quality over Landweber iterations",
        "Quality of images reproduced from sparse codes of their 8 × 8 blocks over the number of "
        f"Landweber iterations, for EZDL dictionaries. Means over images and seeds. {ERROR_BARS}",
    ),
    "ezdl": Caption(
        "10b",
        "EZDL: reproduction quality over inference sparseness",
        "Reproduction quality over the sparseness of the codes, for EZDL dictionaries learned "
        f"with several degrees of sparseness. Means over images and seeds. {ERROR_BARS}",
    ),
    "odl": Caption(
        "11a",
        "ODL: reproduction quality over inference sparseness",
        "As Figure 10b, for dictionaries learned by Online Dictionary Learning.",
    ),
    "rls-dla": Caption(
        "11b",
        "RLS-DLA: reproduction quality over inference sparseness",
        "As Figure 10b, for dictionaries learned by the Recursive Least Squares Dictionary "
        "Learning Algorithm.",
    ),
    "envelopes": Caption(
        "12",
        "The best dictionaries of each learner",
        "Reproduction quality of the best dictionary of each learner at each sparseness of the "
        f"codes. Means over images and seeds. {ERROR_BARS}",
    ),
    "history": Caption(
        "13",
        "Reproduction quality over epochs of learning",
        "Quality of images reproduced from codes of sparseness 0.99 over the epochs of learning. "
        f"Means over images and seeds. {ERROR_BARS}",
    ),
    "denoising": Caption(
        "14",
        "Denoising quality over the noise level",
        "Peak signal-to-noise ratio after denoising by block matching and simultaneous sparse "
        "coding over the standard deviation of the noise (white is 255), with dictionaries "
        f"learned on other photographs. Means over images and noisy versions. {ERROR_BARS}",
    ),
}
