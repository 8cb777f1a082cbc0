"""Verdicts on the structure of dictionaries from synthetic results."""

from helpers.claim_verdicts import NO, OPEN, UNSURE, YES, by_cases, finding_after, verdict_after
from helpers.synthetic_curves import EMPTY
from helpers.synthetic_results import EZDL, FULL, PLAIN, RANK1

# Kinds of dictionaries: sigma_h, inference model, atom rank, whether on whitened patches.
KINDS = {
    **{f"gabor-{at}": (at, "ordinary", EMPTY, 0) for at in (0.7, 0.75, 0.8, 0.85, 0.9, 0.99)},
    "whitened": (0.85, "ordinary", EMPTY, 1),
    "topographic": (0.85, "topographic", EMPTY, 0),
    "whitened-topographic": (0.85, "topographic", EMPTY, 1),
    "rank1-ordinary": (0.85, "ordinary", 1, 0),
    "rank1-topographic": (0.85, "topographic", 1, 0),
}
FITTED = tuple(f"gabor-{at}" for at in (0.7, 0.75, 0.8, 0.85, 0.9, 0.99))
TOPOGRAPHIC, RANK, RANK1_TOPOGRAPHIC = (
    ("topographic", EMPTY, 1),
    ("rank", EMPTY, 1),
    ("topographic", 1, 0),
)


def both(*changes):
    """Apply several changes."""
    return lambda r: [change(r) for change in changes]


def first_epoch(cosine, initial=0.3, shuffled=0.2):
    """Change the median cosines after the first epoch, of initial and of shuffled samples."""

    def change(results):
        results.resemblance[1]["cosine"] = cosine
        results.resemblance[0] = {"cosine": initial, "shuffled_cosine": shuffled}

    return change


def atoms(*names, **statistics):
    """Change statistics of the atoms of dictionaries."""
    return lambda r: [r.atoms[KINDS[name]].update(statistics) for name in names]


def without(*names):
    """Remove the results of some dictionaries."""
    return lambda r: [r.atoms.pop(KINDS[name]) for name in names]


def over_sparseness(statistic, *values):
    """Change a curve of Fig. 6."""
    return both(
        *(atoms(name, **{statistic: one}) for name, one in zip(FITTED, values, strict=True))
    )


def phases(at, *shares):
    return atoms(f"gabor-{at}", phases=list(shares))


def layout(model, **pairs):
    """Change similarity and score of kinds of pairs."""
    named = {key.replace("_", " "): numbers for key, numbers in pairs.items()}
    return lambda r: r.layouts[model].update(named)


def without_layout(model):
    return lambda r: r.layouts.pop(model)


def epochs(side=8, **seconds):
    names = {"plain": EZDL, "full": FULL, "rank1": RANK1, "any_rank": PLAIN}
    return lambda r: r.epochs.update({(side, names[k]): one for k, one in seconds.items()})


def lifetime(last, first=0.3, at=0.99):
    """Change the lifetime sparseness after the last and the first epoch."""
    return lambda r: r.activity.update({(at, 0): {1: (8, first), 20: (0, last)}})


def never_active(noisy, clean, at=0.99):
    """Change the number of atoms that are never active with and without noise."""

    def change(results):
        results.activity[at, 0.1][20] = (noisy, 0.97)
        results.activity[at, 0][20] = (clean, 0.97)

    return change


def full_gradient(ssim):
    return lambda r: r.curves["full_gradient"].update({(0.99,): {0.99: ssim}})


def filtering(seconds, error=1e-7):
    return lambda r: r.filtering.update(separable=(seconds, error), direct=(1.0, 0.0))


def noisy(name, deviation):
    return lambda r: r.noise.update({name: deviation})


def seeds_differ(*names, by=0.5):
    """Let the means of dictionaries differ between seeds."""
    return atoms(*names, seed_effect=by)


CASES = [
    ("D1", "at the limit", first_epoch(0.5, 0.499), YES),
    ("D1", "too far away", first_epoch(0.499), NO),
    ("D1", "as near as the initial samples", first_epoch(0.7, 0.7), NO),
    ("D1", "no first epoch", lambda r: r.resemblance.pop(1), OPEN),
    ("D1", "no initial samples", lambda r: r.resemblance.pop(0), OPEN),
    ("D1", "one epoch only", first_epoch(1.0), OPEN),
    ("D2", "no difference", lambda r: None, YES),
    ("D2", "far beyond 5 %", seeds_differ("gabor-0.8", by=0.8), NO),
    ("D2", "beyond 5 %, few seeds", seeds_differ("gabor-0.8", by=0.06), UNSURE),
    ("D2", "SSIM differs", noisy("ezdl", 0.5), NO),
    ("D2", "one seed", lambda r: setattr(r, "seeds", (0,)), OPEN),
    ("D3", "one second", epochs(16, plain=1.0), YES),
    ("D3", "more than a second", epochs(16, plain=1.001), NO),
    ("D3", "the full gradient does not count", epochs(16, full=9.0), YES),
    ("D3", "64 atoms", lambda r: setattr(r, "n_atoms", 64), OPEN),
    ("D3", "fewer samples", lambda r: setattr(r, "samples_per_epoch", 500), OPEN),
    ("D4", "at the limit", atoms("gabor-0.7", r2=0.8), YES),
    ("D4", "bad for one dictionary", atoms("gabor-0.7", r2=0.799), NO),
    ("D4", "bad for sparse codes", atoms("gabor-0.99", r2=0.1), YES),
    ("D4", "bad for another model", atoms("rank1-ordinary", r2=0.1), YES),
    ("D4", "the sparsest only", without(*FITTED[:-1]), OPEN),
    ("D5", "falls", over_sparseness("f", 0.2, 0.19, 0.18, 0.17, 0.1, 0.09), YES),
    ("D5", "falls, but for some", over_sparseness("f", 0.2, 0.1, 0.15, 0.12, 0.16, 0.05), NO),
    ("D5", "rises", over_sparseness("f", 0.1, 0.2, 0.3, 0.4, 0.5, 0.6), NO),
    ("D5", "two dictionaries", without(*FITTED[1:-1]), OPEN),
    ("D5", "seeds differ", seeds_differ("gabor-0.8", "gabor-0.9"), UNSURE),
    ("D6", "as in the paper", lambda r: None, YES),
    ("D6", "x' first", over_sparseness("sigma_x", 1, 6, 8, 8.2, 8.5, 9), NO),
    ("D6", "both together", over_sparseness("sigma_x", 1, 3, 4, 4.5, 5, 6), NO),
    ("D6", "y' wider in the end", over_sparseness("sigma_y", 1, 17, 18, 19, 21, 22), NO),
    ("D6", "not monotone", over_sparseness("sigma_y", 1, 5, 4.5, 4, 3, 6), NO),
    ("D6", "two dictionaries", without(*FITTED[1:-1]), OPEN),
    ("D6", "seeds differ", seeds_differ("gabor-0.8", "gabor-0.9"), UNSURE),
    ("D7", "last bin shares the peak", phases(0.75, 0, 0, 0.4, 0.1, 0, 0.1, 0, 0.4), YES),
    ("D7", "another peak at 0.75", phases(0.75, 0, 0, 0.5, 0, 0, 0, 0.1, 0.4), NO),
    ("D7", "first bin as the others", phases(0.99, *[0.125] * 8), NO),
    ("D7", "only odd at 0.99", phases(0.99, 0, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.4), NO),
    ("D7", "only even at 0.99", phases(0.99, 0.4, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0), NO),
    ("D7", "one dictionary only", without("gabor-0.99"), OPEN),
    (
        *("D8", "at both limits"),
        layout(TOPOGRAPHIC, neighbours=(0.75, 10.0), all_pairs=(0.5, EMPTY)),
        YES,
    ),
    ("D8", "as similar as all pairs", layout(TOPOGRAPHIC, neighbours=(0.449, 12.0)), NO),
    ("D8", "too few standard deviations", layout(TOPOGRAPHIC, neighbours=(0.6, 9.99)), NO),
    ("D8", "not learned", without_layout(TOPOGRAPHIC), OPEN),
    ("D9", "at the limit", layout(RANK, rows_and_columns=(0.5, 5.0)), YES),
    ("D9", "too few standard deviations", layout(RANK, rows_and_columns=(0.5, 4.99)), NO),
    ("D9", "not learned", without_layout(RANK), OPEN),
    ("D10", "one atom more", atoms("whitened", low=0.125), YES),
    ("D10", "equal", atoms("whitened", low=0.1), NO),
    ("D10", "only for the ordinary one", atoms("whitened-topographic", low=0.05), NO),
    ("D10", "as filters nothing is asked", atoms("whitened", low_filters=0.0), YES),
    ("D10", "not learned", without("whitened"), OPEN),
    ("D11", "at the limit", atoms("rank1-ordinary", paraxial=0.9, checkerboards=0), YES),
    ("D11", "too many diagonals", atoms("rank1-ordinary", paraxial=0.85, checkerboards=0), NO),
    ("D11", "rank 2", atoms("rank1-ordinary", rank_ratio=1e-6), NO),
    ("D11", "not learned", without("rank1-ordinary"), OPEN),
    ("D12", "lower", atoms("rank1-topographic", centroid=0.199), YES),
    ("D12", "equal", atoms("rank1-topographic", centroid=0.2), NO),
    ("D12", "not learned", without("rank1-topographic"), OPEN),
    ("D12", "seeds differ", seeds_differ("rank1-topographic", by=1.5), UNSURE),
    ("D13", "at the limit", layout(RANK1_TOPOGRAPHIC, checkerboards=(0.1, 3.0)), YES),
    ("D13", "not in clusters", layout(RANK1_TOPOGRAPHIC, checkerboards=(0.1, 2.99)), NO),
    ("D13", "as many", atoms("rank1-topographic", checkerboards=0.2), NO),
    ("D13", "none", layout(RANK1_TOPOGRAPHIC, checkerboards=(0.0, EMPTY)), OPEN),
    ("D13", "not learned", without("rank1-topographic"), OPEN),
    ("D14", "at the limit", epochs(16, rank1=1.05, any_rank=1.0), YES),
    ("D14", "beyond the limit", epochs(16, rank1=1.06, any_rank=1.0), NO),
    ("D14", "small patches do not count", epochs(8, rank1=2.0, any_rank=1.0), YES),
    ("D14", "not timed", lambda r: r.epochs.pop((16, RANK1)), OPEN),
    ("D15", "at the limit", lifetime(0.9401), YES),
    ("D15", "beyond the limit", lifetime(0.9399), NO),
    ("D15", "nearer after the first epoch", lifetime(0.96, 0.98), NO),
    ("D15", "one epoch", lambda r: [one.pop(20) for one in r.activity.values()], OPEN),
    ("D15", "not recorded", lambda r: r.activity.clear(), OPEN),
    ("D16", "at the limit", never_active(2.56, 8), YES),
    ("D16", "too many", never_active(3, 8), NO),
    ("D16", "more than without", never_active(2, 1), NO),
    ("D16", "no noise", lambda r: r.activity.pop((0.999, 0.1)), OPEN),
    ("D17", "at the limits", both(epochs(plain=1.0, full=1.3), full_gradient(0.773)), YES),
    ("D17", "hardly slower", epochs(plain=1.0, full=1.29), NO),
    ("D17", "the full gradient is better", full_gradient(0.7731), NO),
    ("D17", "not learned", lambda r: r.curves.update(full_gradient={}), OPEN),
    ("D17", "noise", both(noisy("full_gradient", 0.05), full_gradient(0.77)), UNSURE),
    ("D18", "at the limits", filtering(0.5, 1e-5), YES),
    ("D18", "hardly faster", filtering(0.51), NO),
    ("D18", "different responses", filtering(0.1, 1.1e-5), NO),
    ("D18", "not timed", lambda r: r.filtering.pop("direct"), OPEN),
]


@by_cases(CASES)
def test_verdict_follows_from_the_numbers(tmp_path, identifier, change, expected):
    assert verdict_after(tmp_path, identifier, change) == expected


def test_every_seed_must_be_ordered(tmp_path):
    finding = finding_after(tmp_path, "D8", lambda r: None)
    assert [len(measure.cases) for measure in finding.measures] == [3, 3]


def test_revised_conditions_are_also_judged_as_before(tmp_path):
    shuffled = finding_after(tmp_path, "D1", first_epoch(0.7, 0.3, 0.36))
    assert (shuffled.verdict, shuffled.old_verdict) == (YES, NO)
    widths = finding_after(tmp_path, "D2", seeds_differ("gabor-0.8", by=0.8))
    assert (widths.verdict, widths.old_verdict) == (NO, YES)
    frequency = finding_after(tmp_path, "D10", atoms("whitened", "whitened-topographic", f=0.05))
    assert (frequency.verdict, frequency.old_verdict) == (YES, YES)
