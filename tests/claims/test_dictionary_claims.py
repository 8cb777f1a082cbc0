"""Verdicts on the structure of dictionaries from synthetic results."""

import numpy as np
from helpers.synthetic_results import (
    EMPTY,
    EZDL,
    NO,
    OPEN,
    YES,
    Results,
    by_cases,
    verdict_after,
    verdicts,
)

# Kinds of dictionaries: sigma_h, inference model, atom rank, whether on whitened patches.
KINDS = {
    "gabor-0.7": (0.7, "ordinary", EMPTY, 0),
    "gabor-0.99": (0.99, "ordinary", EMPTY, 0),
    "whitened": (0.85, "ordinary", EMPTY, 1),
    "topographic": (0.85, "topographic", EMPTY, 0),
    "whitened-topographic": (0.85, "topographic", EMPTY, 1),
    "rank1-ordinary": (0.85, "ordinary", 1, 0),
    "rank1-topographic": (0.85, "topographic", 1, 0),
}


def first_epoch(cosine, shuffled=0.2):
    """Change the median cosines after the first epoch, and of shuffled samples."""

    def change(results):
        results.resemblance[1]["median_cosine"] = cosine
        results.resemblance[0]["median_shuffled"] = shuffled

    return change


def atoms(name, **statistics):
    """Change statistics of the atoms of a dictionary."""
    return lambda r: r.atoms[KINDS[name]].update(statistics)


def without(*names):
    """Remove the results of some dictionaries."""

    def change(results):
        for name in names:
            results.atoms.pop(KINDS[name], None)

    return change


def only_sparsest(results):
    results.atoms = {KINDS["gabor-0.99"]: results.atoms[KINDS["gabor-0.99"]]}


def gabor_curve(name, *values):
    """Change a curve of Fig. 6."""
    curve = dict(zip((0.7, 0.8, 0.9, 0.99), values, strict=True))
    return lambda r: r.curves["gabor"].update({(name,): curve})


def two_sparsenesses(results):
    for curve in results.curves["gabor"].values():
        del curve[0.8], curve[0.9]


def layout(name, **pairs):
    """Change similarity and score of kinds of pairs."""
    named = {key.replace("_", " "): numbers for key, numbers in pairs.items()}
    return lambda r: r.layouts[name].update(named)


def without_layout(name):
    return lambda r: r.layouts.pop(name)


def epoch(seconds):
    return lambda r: r.epochs.update({(16, EZDL): seconds})


CASES = [
    ("D1", "at both limits", first_epoch(0.5, 0.25), YES),
    ("D1", "too far away", first_epoch(0.499), NO),
    ("D1", "too close to shuffled samples", first_epoch(0.7, 0.351), NO),
    ("D1", "no first epoch", lambda r: r.resemblance.pop(1), OPEN),
    ("D1", "no initial samples", lambda r: r.resemblance.pop(0), OPEN),
    ("D1", "one epoch only", lambda r: r.resemblance[1].update(min_cosine=1.0), OPEN),
    ("D2", "at the limit", lambda r: setattr(r, "stderr_seeds", 0.0025), YES),
    ("D2", "beyond the limit", lambda r: setattr(r, "stderr_seeds", 0.00251), NO),
    ("D2", "one seed", lambda r: setattr(r, "stderr_seeds", np.nan), OPEN),
    ("D3", "one second", epoch(1.0), YES),
    ("D3", "more than a second", epoch(1.001), NO),
    ("D3", "64 atoms", lambda r: setattr(r, "n_atoms", 64), OPEN),
    ("D3", "fewer samples", lambda r: setattr(r, "samples_per_epoch", 500), OPEN),
    ("D3", "smaller atoms only", lambda r: r.epochs.pop((16, EZDL)), OPEN),
    ("D4", "at the limit", atoms("gabor-0.7", median_r2=0.8), YES),
    ("D4", "bad for one dictionary", atoms("gabor-0.7", median_r2=0.799), NO),
    ("D4", "bad for sparse codes", atoms("gabor-0.99", median_r2=0.1), YES),
    ("D4", "the sparsest only", only_sparsest, OPEN),
    ("D5", "falls", gabor_curve("f", 0.2, 0.15, 0.1, 0.09), YES),
    ("D5", "falls, but for two", gabor_curve("f", 0.2, 0.1, 0.15, 0.05), NO),
    ("D5", "rises", gabor_curve("f", 0.1, 0.2, 0.3, 0.4), NO),
    ("D5", "two dictionaries", two_sparsenesses, OPEN),
    ("D6", "as in the paper", lambda r: None, YES),
    ("D6", "x' first", gabor_curve("sigma_x", 1.0, 8.0, 8.5, 9.0), NO),
    ("D6", "both together", gabor_curve("sigma_x", 1.0, 4.0, 5.0, 6.0), NO),
    ("D6", "y' wider in the end", gabor_curve("sigma_y", 1.0, 20.0, 21.0, 22.0), NO),
    ("D6", "not monotone", gabor_curve("sigma_y", 1.0, 5.0, 4.0, 6.0), NO),
    ("D6", "two dictionaries", two_sparsenesses, OPEN),
    ("D6", "the figure alone", lambda r: r.atoms.clear(), YES),
    ("D7", "last bin shares the peak", lambda r: r.phases[0.75].__setitem__(2, 0.4), YES),
    ("D7", "another peak at 0.75", lambda r: r.phases[0.75].__setitem__(2, 0.41), NO),
    ("D7", "first bin as the others", lambda r: r.phases.update({0.99: [0.125] * 8}), NO),
    ("D7", "only odd at 0.99", lambda r: r.phases[0.99].__setitem__(0, 0.01), NO),
    ("D7", "only even at 0.99", lambda r: r.phases[0.99].__setitem__(-1, 0.01), NO),
    ("D7", "one dictionary only", lambda r: r.phases.pop(0.99), OPEN),
    (
        *("D8", "at both limits"),
        layout("topographic", neighbours=(0.75, 10.0), all_pairs=(0.5, 0)),
        YES,
    ),
    ("D8", "as similar as all pairs", layout("topographic", neighbours=(0.449, 12.0)), NO),
    ("D8", "too few standard deviations", layout("topographic", neighbours=(0.6, 9.99)), NO),
    ("D8", "not learned", without_layout("topographic"), OPEN),
    ("D9", "at the limit", layout("rank", rows_and_columns=(0.5, 5.0)), YES),
    ("D9", "too few standard deviations", layout("rank", rows_and_columns=(0.5, 4.99)), NO),
    ("D9", "not learned", without_layout("rank"), OPEN),
    ("D10", "lower", atoms("whitened", mean_f=0.0999), YES),
    ("D10", "equal", atoms("whitened", mean_f=0.1), NO),
    ("D10", "only for the ordinary one", atoms("whitened-topographic", mean_f=0.2), NO),
    ("D10", "no Gabor function", atoms("topographic", mean_f=EMPTY), OPEN),
    ("D10", "not learned", without("whitened"), OPEN),
    ("D11", "at the limit", atoms("rank1-ordinary", share_paraxial=0.9), YES),
    ("D11", "too many diagonals", atoms("rank1-ordinary", share_paraxial=0.899), NO),
    ("D11", "rank 2", atoms("rank1-ordinary", max_rank_ratio=1e-6), NO),
    ("D11", "not learned", without("rank1-ordinary"), OPEN),
    ("D12", "lower", atoms("rank1-topographic", mean_spectral_centroid=0.199), YES),
    ("D12", "equal", atoms("rank1-topographic", mean_spectral_centroid=0.2), NO),
    ("D12", "not learned", without("rank1-topographic"), OPEN),
]


@by_cases(CASES)
def test_verdict_follows_from_the_numbers(tmp_path, identifier, change, expected):
    assert verdict_after(tmp_path, identifier, change) == expected


def test_gabor_fits_of_other_models_do_not_count_for_figure_6(tmp_path):
    results = Results()
    results.atoms[KINDS["rank1-ordinary"]]["median_r2"] = 0.1
    assert verdicts(results.write(tmp_path))["D4"] == YES


def test_median_r2_is_averaged_over_seeds(tmp_path):
    folder = Results().write(tmp_path)
    table = folder / "summaries" / "atoms.csv"
    header, first, *others = table.read_text().splitlines()
    worse = first.replace(",0,0,0.9,", ",0,1,0.71,")
    assert worse != first
    table.write_text("\n".join([header, first, worse, *others]))
    assert verdicts(folder)["D4"] == YES
    table.write_text("\n".join([header, first, worse.replace("0.71", "0.69"), *others]))
    assert verdicts(folder)["D4"] == NO
