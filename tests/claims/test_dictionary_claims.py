"""Claims on what dictionaries look like: what made-up tables say."""

import numpy as np
from helpers.made_up_results import (
    N_ATOMS,
    NO,
    OPEN,
    YES,
    Results,
    by_cases,
    verdict_after,
    verdicts,
)


def first_epoch(cosine, shuffled=0.2):
    """Cosines of atoms after the first epoch, and of shuffled samples."""

    def change(results):
        results.resemblance[1]["cosine"] = [0.0, cosine, 1.0]
        results.resemblance[0]["shuffled_cosine"] = [shuffled] * 3

    return change


def fitted(name, **columns):
    """Other fits of a dictionary: one number for all atoms, or one for each."""

    def change(results):
        for column, values in columns.items():
            every = values if isinstance(values, list) else [values] * N_ATOMS
            results.fits[name][column] = every

    return change


def without(*names):
    """No tables of some dictionaries."""

    def change(results):
        for name in names:
            results.fits.pop(name, None)
            results.layouts.pop(name, None)

    return change


def only_sparsest(results):
    results.fits = {"gabor-0.99": results.fits["gabor-0.99"]}


def gabor_curve(name, *values):
    """Another curve of Fig. 6."""
    return lambda r: r.curves["gabor"].update({name: dict(zip((0.7, 0.8, 0.9, 0.99), values))})  # noqa: B905


def two_sparsenesses(results):
    for curve in results.curves["gabor"].values():
        del curve[0.8], curve[0.9]


def layout(name, **pairs):
    """Another layout: similarity and score of pairs."""
    named = {key.replace("_", " "): numbers for key, numbers in pairs.items()}
    return lambda r: r.layouts[name].update(named)


def epoch(seconds):
    return lambda r: r.epochs.update({(16, "EZDL, sparseness 0.99"): seconds})


DIAGONAL = [np.pi / 4] * 3 + [0.0] * (N_ATOMS - 3)
ALMOST_ALONG = [np.pi / 4] * 2 + [np.radians(10)] * (N_ATOMS - 2)
CHECKERBOARD = ["checkerboard"] * 3 + [""] * (N_ATOMS - 3)
CASES = [
    ("D1", "at both limits", first_epoch(0.5, 0.25), YES),
    ("D1", "too far away", first_epoch(0.499), NO),
    ("D1", "as by chance", first_epoch(0.7, 0.351), NO),
    ("D1", "no first epoch", lambda r: r.resemblance.pop(1), OPEN),
    ("D1", "nothing of before", lambda r: r.resemblance.pop(0), OPEN),
    ("D1", "one epoch only", lambda r: r.resemblance[1].update(cosine=[1.0] * 3), OPEN),
    ("D2", "at the limit", lambda r: setattr(r, "deviation", 0.005), YES),
    ("D2", "beyond the limit", lambda r: setattr(r, "deviation", 0.00501), NO),
    ("D2", "one repeat", lambda r: setattr(r, "deviation", np.nan), OPEN),
    ("D3", "one second", epoch(1.0), YES),
    ("D3", "more than a second", epoch(1.001), NO),
    ("D3", "64 atoms", lambda r: setattr(r, "n_atoms", 64), OPEN),
    ("D3", "fewer samples", lambda r: setattr(r, "samples_per_epoch", 500), OPEN),
    ("D3", "smaller atoms only", lambda r: r.epochs.pop((16, "EZDL, sparseness 0.99")), OPEN),
    ("D4", "at the limit", fitted("gabor-0.7", r2=0.8), YES),
    ("D4", "bad for one dictionary", fitted("gabor-0.7", r2=0.799), NO),
    ("D4", "bad for sparse codes", fitted("gabor-0.99", r2=0.1), YES),
    ("D4", "bad for some atoms", fitted("gabor-0.7", r2=[0.1] * 9 + [0.9] * 11), YES),
    ("D4", "the sparsest only", only_sparsest, OPEN),
    ("D5", "falls", gabor_curve("f", 0.2, 0.15, 0.1, 0.09), YES),
    ("D5", "falls, but for two", gabor_curve("f", 0.2, 0.1, 0.15, 0.05), NO),
    ("D5", "rises", gabor_curve("f", 0.1, 0.2, 0.3, 0.4), NO),
    ("D5", "two dictionaries", two_sparsenesses, OPEN),
    ("D6", "as in the paper", lambda r: None, YES),
    ("D6", "x' first", gabor_curve("sigma_x", 1.0, 8.0, 8.5, 9.0), NO),
    ("D6", "both at once", gabor_curve("sigma_x", 1.0, 4.0, 5.0, 6.0), NO),
    ("D6", "y' wider in the end", gabor_curve("sigma_y", 1.0, 20.0, 21.0, 22.0), NO),
    ("D6", "not monotone", gabor_curve("sigma_y", 1.0, 5.0, 4.0, 6.0), NO),
    ("D6", "two dictionaries", two_sparsenesses, OPEN),
    ("D6", "the figure alone", lambda r: r.fits.clear(), YES),
    ("D7", "last bin shares the peak", lambda r: r.phases[0.75].__setitem__(2, 0.4), YES),
    ("D7", "another peak at 0.75", lambda r: r.phases[0.75].__setitem__(2, 0.41), NO),
    ("D7", "first bin as the others", lambda r: r.phases.update({0.99: [0.125] * 8}), NO),
    ("D7", "only odd at 0.99", lambda r: r.phases[0.99].__setitem__(0, 0.01), NO),
    ("D7", "only even at 0.99", lambda r: r.phases[0.99].__setitem__(-1, 0.01), NO),
    ("D7", "one dictionary only", lambda r: r.phases.pop(0.99), OPEN),
    (
        *("D8", "at both limits"),
        layout("whitened-topographic", neighbours=(0.75, 10.0), all_pairs=(0.5, 0)),
        YES,
    ),
    ("D8", "alike as all", layout("whitened-topographic", neighbours=(0.449, 12.0)), NO),
    ("D8", "too few deviations", layout("whitened-topographic", neighbours=(0.6, 9.99)), NO),
    ("D8", "not learned", without("whitened-topographic"), OPEN),
    ("D9", "at the limit", layout("whitened-rank", rows_and_columns=(0.5, 5.0)), YES),
    ("D9", "too few deviations", layout("whitened-rank", rows_and_columns=(0.5, 4.99)), NO),
    ("D9", "not learned", without("whitened-rank"), OPEN),
    ("D10", "lower", fitted("whitened", f=0.0999), YES),
    ("D10", "equal", fitted("whitened", f=0.1), NO),
    ("D10", "only for the ordinary one", fitted("whitened-topographic", f=0.2), NO),
    ("D10", "no Gabor function", fitted("topographic", reason="poor fit"), OPEN),
    ("D10", "not learned", without("whitened"), OPEN),
    ("D11", "two of twenty diagonal", fitted("rank1-ordinary", axis_angle=ALMOST_ALONG), YES),
    ("D11", "three of twenty diagonal", fitted("rank1-ordinary", axis_angle=DIAGONAL), NO),
    (
        *("D11", "three checkerboards"),
        fitted("rank1-ordinary", axis_angle=DIAGONAL, reason=CHECKERBOARD),
        YES,
    ),
    ("D11", "rank 2", fitted("rank1-ordinary", rank_ratio=[1e-6] + [0.0] * (N_ATOMS - 1)), NO),
    ("D11", "not learned", without("rank1-ordinary"), OPEN),
    ("D12", "lower", fitted("rank1-topographic", spectral_centroid=0.199), YES),
    ("D12", "equal", fitted("rank1-topographic", spectral_centroid=0.2), NO),
    ("D12", "not learned", without("rank1-topographic"), OPEN),
]


@by_cases(CASES)
def test_the_numbers_alone_decide(tmp_path, identifier, change, expected):
    assert verdict_after(tmp_path, identifier, change) == expected


def test_fits_of_other_dictionaries_do_not_count_as_those_of_gabor_functions(tmp_path):
    results = Results()
    results.fits["rank1-ordinary"]["r2"] = [0.1] * N_ATOMS
    assert verdicts(results.write(tmp_path))["D4"] == YES
