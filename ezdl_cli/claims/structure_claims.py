"""Claims on the structure that models bring to dictionaries (sections 4.2.2 and 4.2.3)."""

import numpy as np

from .claim import Claim, Missing, at_least, below, told

NEAR_AXIS = np.radians(10.0)


def neighbours_are_alike(evidence):
    measured = _layout(evidence, "whitened-topographic")
    near, score = measured["neighbours"]
    return [
        at_least("similarity of neighbours over that of all", near / measured["all pairs"][0], 1.5),
        at_least("deviations above random layouts", score, 10),
    ]


def rows_and_columns_are_alike(evidence):
    _, score = _layout(evidence, "whitened-rank")["rows and columns"]
    return [at_least("deviations above random layouts", score, 5)]


def whitening_lowers_frequencies(evidence):
    pairs = {"ordinary": ("whitened", "gabor-0.85")}
    pairs["topographic"] = ("whitened-topographic", "topographic")
    measures = []
    for model, names in pairs.items():
        whitened, raw = (fits["f"].mean() for fits in _gabors(evidence, *names))
        measures.append(below(f"{model}: mean frequency, whitened less raw", whitened - raw, 0))
        measures.append(told(f"{model}: mean frequency on raw pixels", raw))
    return measures


def separable_atoms_run_along_axes(evidence):
    (table,) = evidence.of_dictionaries("gabor", "rank1-ordinary")
    checkerboards = table["reason"] == "checkerboard"
    fitted = ~np.isnan(table["axis_angle"])
    paraxial = checkerboards | (fitted & (table["axis_angle"] <= NEAR_AXIS))
    share = paraxial[fitted | checkerboards].mean()
    return [
        below("largest ratio of second to first singular value", table["rank_ratio"].max(), 1e-6),
        at_least("share of atoms within 10° of an axis, or checkerboards", share, 0.9),
    ]


def topography_blurs_separable_atoms(evidence):
    tables = evidence.of_dictionaries("gabor", "rank1-topographic", "rank1-ordinary")
    topographic, ordinary = (np.nanmean(table["spectral_centroid"]) for table in tables)
    return [
        below("mean spectral centroid, topographic less ordinary", topographic - ordinary, 0),
        told("mean spectral centroid, ordinary", ordinary),
    ]


def _layout(evidence, name):
    """Similarity and score of each kind of pairs of a dictionary on a grid."""
    (table,) = evidence.of_dictionaries("topography", name)
    numbers = zip(table["similarity"], table["score"], strict=True)
    return dict(zip(table["pairs"].tolist(), numbers, strict=True))


def _gabors(evidence, *names):
    """The fits of the atoms that are Gabor functions, of each dictionary."""
    for name, table in zip(names, evidence.of_dictionaries("gabor", *names), strict=True):
        kept = table["reason"] == ""
        if not kept.any():
            raise Missing(f"no atom of {name} is a Gabor function")
        yield {key: column[kept] for key, column in table.items()}


CLAIMS = (
    Claim(
        "D8",
        "4.2.2",
        ("whitened-topographic",),
        "The topographic model orders the atoms smoothly on the grid.",
        "mean cosine of the power spectra of grid neighbours ≥ 1.5 × that of all pairs, and above "
        "the mean of 200 random permutations by ≥ 10 of their standard deviations",
        "similar atoms are close together",
        neighbours_are_alike,
    ),
    Claim(
        "D9",
        "4.2.2",
        ("whitened-rank",),
        "The rank-1 topographic model groups similar atoms in rows and columns.",
        "mean cosine of the power spectra within rows and columns above the mean of 200 random "
        "permutations by ≥ 5 of their standard deviations",
        "similar atoms in the same rows and columns",
        rows_and_columns_are_alike,
    ),
    Claim(
        "D10",
        "4.2.2",
        ("whitened-topographic",),
        "Whitening brings more low-frequency filters.",
        "mean fitted frequency (whitened) < (raw) at equal σ_H, for the ordinary and for the "
        "topographic model",
        "more low-frequency filters",
        whitening_lowers_frequencies,
    ),
    Claim(
        "D11",
        "4.2.3",
        ("rank1-ordinary",),
        "With atoms of rank 1, all filters run along the axes: no diagonals.",
        "every atom has rank 1 (second singular value < 1e-6 of the first); ≥ 90 % of the fitted "
        "orientations within 10° of an axis, or checkerboards",
        "all filters were paraxial",
        separable_atoms_run_along_axes,
    ),
    Claim(
        "D12",
        "4.2.3",
        ("rank1-ordinary", "rank1-topographic"),
        "Rank-1 atoms with topography are blurrier than without.",
        "mean spectral centroid lower",
        "blurrier",
        topography_blurs_separable_atoms,
    ),
)
