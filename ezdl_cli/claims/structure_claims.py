"""Claims on the structure of dictionaries by inference model (sections 4.2.2 and 4.2.3)."""

from .claim import Missing, at_least, below, reported

# The dictionaries on raw pixels and on whitened patches that the claims compare.
ORDINARY = {"sigma_h": 0.85, "inference": "ordinary", "atom_rank": None}
TOPOGRAPHIC = ORDINARY | {"inference": "topographic"}
RANK_MODEL = ORDINARY | {"inference": "rank"}
RANK_1_ATOMS = {"atom_rank": 1, "whitened": 0}


def neighbours_are_similar(evidence):
    neighbours, score = _layout(evidence, "neighbours", **TOPOGRAPHIC)
    all_pairs, _ = _layout(evidence, "all pairs", **TOPOGRAPHIC)
    return [
        at_least("similarity of neighbours / of all pairs", neighbours / all_pairs, 1.5),
        at_least("standard deviations above random layouts", score, 10),
    ]


def rows_and_columns_are_similar(evidence):
    _, score = _layout(evidence, "rows and columns", **RANK_MODEL)
    return [at_least("standard deviations above random layouts", score, 5)]


def whitening_lowers_frequencies(evidence):
    measures = []
    for name, model in (("ordinary", ORDINARY), ("topographic", TOPOGRAPHIC)):
        whitened, raw = (
            _first_seed(evidence, "mean_f", whitened=whitened, **model) for whitened in (1, 0)
        )
        what = f"{name}: mean frequency, whitened − raw"
        measures += [
            below(what, whitened - raw, 0),
            reported(f"{name}: mean frequency on raw pixels", raw),
        ]
    return measures


def separable_atoms_are_paraxial(evidence):
    model = ORDINARY | RANK_1_ATOMS
    ratio = _first_seed(evidence, "max_rank_ratio", **model)
    share = _first_seed(evidence, "share_paraxial", **model)
    return [
        below("largest ratio of second to first singular value", ratio, 1e-6),
        at_least("share of atoms within 10° of an axis, or checkerboards", share, 0.9),
    ]


def topography_blurs_separable_atoms(evidence):
    topographic, ordinary = (
        _first_seed(evidence, "mean_spectral_centroid", **model | RANK_1_ATOMS)
        for model in (TOPOGRAPHIC, ORDINARY)
    )
    return [
        below("mean spectral centroid, topographic − ordinary", topographic - ordinary, 0),
        reported("mean spectral centroid, ordinary", ordinary),
    ]


def _layout(evidence, pairs, **model):
    """Similarity and score of a kind of pairs, for whitened patches and the smallest seed."""
    rows = evidence.select("layout", pairs=pairs, whitened=1, **model)
    first = rows["seed"].argmin()
    return rows["similarity"][first], rows["score"][first]


def _first_seed(evidence, statistic, **model):
    """A statistic of the atoms of the dictionary with the smallest seed."""
    rows = evidence.select("atoms", **model)
    value = rows[statistic][rows["seed"].argmin()]
    if value != value and statistic == "mean_f":
        raise Missing(f"no Gabor function was accepted for {model}")
    return value


CHECKS = {
    "D8": neighbours_are_similar,
    "D9": rows_and_columns_are_similar,
    "D10": whitening_lowers_frequencies,
    "D11": separable_atoms_are_paraxial,
    "D12": topography_blurs_separable_atoms,
}
