"""Claims on the structure of dictionaries by inference model (sections 4.2.2 and 4.2.3)."""

from contextlib import suppress

from ..experiments import atom_statistics as atoms
from ..experiments.bootstrap import Estimate
from .claim import Missing, above, at_least, at_most, below, reported, worst
from .comparisons import difference, mean
from .evidence import numbers
from .per_seed import per_seed
from .speed_claims import epoch_seconds

# The dictionaries on raw pixels and on whitened patches that the claims compare.
ORDINARY = {"sigma_h": 0.85, "inference": "ordinary", "atom_rank": None}
TOPOGRAPHIC = ORDINARY | {"inference": "topographic"}
RANK_MODEL = ORDINARY | {"inference": "rank"}
RANK_1_ATOMS = {"atom_rank": 1, "whitened": 0}
LARGE_SIDE = 16


def neighbours_are_similar(evidence):
    near = _layout(evidence, "neighbours", "similarity", whitened=1, **TOPOGRAPHIC)
    all_pairs = _layout(evidence, "all pairs", "similarity", whitened=1, **TOPOGRAPHIC)
    if near.keys() != all_pairs.keys():
        raise Missing("neighbours and all pairs were compared for different seeds")
    ratios = {seed: near[seed] / all_pairs[seed] for seed in near}
    scores = _layout(evidence, "neighbours", "score", whitened=1, **TOPOGRAPHIC)
    return [
        _every_seed("similarity of neighbours / of all pairs", ratios, 1.5),
        _every_seed("standard deviations above random layouts", scores, 10),
    ]


def rows_and_columns_are_similar(evidence):
    scores = _layout(evidence, "rows and columns", "score", whitened=1, **RANK_MODEL)
    return [_every_seed("standard deviations above random layouts", scores, 5)]


def whitening_lowers_frequencies(evidence):
    measures = []
    for name, model in (("ordinary", ORDINARY), ("topographic", TOPOGRAPHIC)):
        whitened, raw = (
            _atoms(evidence, atoms.share_low("spectral_peak"), whitened=one, **model)
            for one in (1, 0)
        )
        filters = _atoms(evidence, atoms.share_low("filter_peak"), whitened=1, **model)
        frequency = difference(
            *(_atoms(evidence, atoms.mean_of("f"), whitened=one, **model) for one in (1, 0))
        )
        measures += [
            above(
                f"{name}: share of low frequencies, whitened − raw", difference(whitened, raw), 0
            ),
            reported(f"{name}: that share, raw", mean(raw)),
            reported(f"{name}: the same as filters, whitened − raw", difference(filters, raw)),
            reported(f"{name}: mean frequency, whitened − raw", frequency),
        ]
    return measures


def whitening_lowers_mean_frequencies(evidence):
    return [
        below(
            f"{name}: mean frequency, whitened − raw",
            difference(
                *(_atoms(evidence, atoms.mean_of("f"), whitened=one, **model) for one in (1, 0))
            ),
            0,
        )
        for name, model in (("ordinary", ORDINARY), ("topographic", TOPOGRAPHIC))
    ]


def separable_atoms_are_paraxial(evidence):
    model = ORDINARY | RANK_1_ATOMS
    ratios = _atoms(evidence, atoms.max_rank_ratio, **model)
    by_seed = dict(zip(ratios.seeds, ratios.values[:, 0].tolist(), strict=True))
    cases = [below(f"seed {seed:g}", ratio, 1e-6) for seed, ratio in by_seed.items()]
    share = mean(_atoms(evidence, atoms.share_paraxial, **model))
    return [
        worst("largest ratio of second to first singular value", cases),
        at_least("share of atoms within 10° of an axis, or checkerboards", share, 0.9),
    ]


def topography_blurs_separable_atoms(evidence):
    topographic, ordinary = (
        _atoms(evidence, atoms.mean_centroid, **model | RANK_1_ATOMS)
        for model in (TOPOGRAPHIC, ORDINARY)
    )
    return [
        below(
            "mean spectral centroid, topographic − ordinary", difference(topographic, ordinary), 0
        ),
        reported("mean spectral centroid, ordinary", mean(ordinary)),
    ]


def checkerboards_are_few_and_clustered(evidence):
    scores = _layout(evidence, "checkerboards", "score", **TOPOGRAPHIC | RANK_1_ATOMS)
    topographic, ordinary = (
        _atoms(evidence, atoms.share_checkerboards, **model | RANK_1_ATOMS)
        for model in (TOPOGRAPHIC, ORDINARY)
    )
    fewer = difference(topographic, ordinary)
    return [
        _every_seed("joins of checkerboards, standard deviations above random layouts", scores, 3),
        below("share of checkerboards, topographic − ordinary", fewer, 0),
        reported("share of checkerboards, ordinary", mean(ordinary)),
    ]


def rank_one_approximation_costs_nothing(evidence):
    def ratio(side):
        separable, plain = (
            epoch_seconds(evidence, "ezdl", n_features=side**2, sigma_h=0.85, atom_rank=rank)
            for rank in (1, None)
        )
        return separable / plain

    measures = [at_most("time per epoch with / without, 16 × 16", ratio(LARGE_SIDE), 1.05)]
    with suppress(Missing):  # only reported
        measures.append(reported("time per epoch with / without, 8 × 8", ratio(8)))
    return measures


def separable_filtering_is_cheaper(evidence):
    rows = {
        method: evidence.select("filtering", side=LARGE_SIDE, method=method)
        for method in ("separable", "direct")
    }
    seconds = {method: numbers(one, "seconds")[0] for method, one in rows.items()}
    error = numbers(rows["separable"], "relative_error").max()
    return [
        at_most("largest relative difference of the responses", error, 1e-5),
        at_least("time, two-dimensional / separable", seconds["direct"] / seconds["separable"], 2),
    ]


def _layout(evidence, pairs, column, **model):
    """A measure of the layout on the grid, for each seed."""
    rows = evidence.select("topography", pairs=pairs, **model)
    return dict(zip(numbers(rows, "seed").tolist(), numbers(rows, column).tolist(), strict=True))


def _every_seed(what, by_seed, limit):
    """A measure that must be reached with every seed."""
    units = {"seeds": len(by_seed)}
    return worst(
        what,
        [
            at_least(f"seed {seed:g}", Estimate(one, units=units), limit)
            for seed, one in by_seed.items()
        ],
    )


def _atoms(evidence, statistic, **model):
    """A statistic of the atoms, by seed."""
    return per_seed(evidence, "gabor", statistic, **model)


CHECKS = {
    "D8": neighbours_are_similar,
    "D9": rows_and_columns_are_similar,
    "D10": whitening_lowers_frequencies,
    "D11": separable_atoms_are_paraxial,
    "D12": topography_blurs_separable_atoms,
    "D13": checkerboards_are_few_and_clustered,
    "D14": rank_one_approximation_costs_nothing,
    "D18": separable_filtering_is_cheaper,
}
OLD_CHECKS = {"D10": whitening_lowers_mean_frequencies}
