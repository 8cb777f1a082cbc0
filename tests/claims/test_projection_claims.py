"""Verdicts on the projection from synthetic results."""

from helpers.claim_verdicts import NO, OPEN, UNSURE, YES, by_cases, finding_after, verdict_after
from helpers.synthetic_curves import EMPTY
from helpers.synthetic_results import CLASSICS, EXPONENTS

PUBLISHED, OPTIMISED = "as published", "optimised"


def both(*changes):
    """Apply several changes."""
    return lambda r: [change(r) for change in changes]


def evaluations(solver, **numbers):
    """Change the evaluations of a solver, such as e4=7 for n = 2^4."""
    points = {int(exponent[1:]): value for exponent, value in numbers.items()}
    return lambda r: r.evaluations[solver].update(points)


def scattered(deviation, vectors=1000):
    """Let the evaluations differ between vectors."""

    def change(results):
        results.deviation, results.vectors = deviation, vectors

    return change


def bisection(*values):
    curve = dict(zip(EXPONENTS, values, strict=True))
    return lambda r: r.evaluations.update(bisection=curve)


def time_ratio(classic, ratio, exponent, style=PUBLISHED):
    """Set the time of a classic algorithm relative to the paper's at one n."""

    def change(results):
        ours = results.seconds[style, "newton_sqr"][exponent]
        results.seconds[style, classic][exponent] = ratio * ours

    return change


def all_at_the_end(ratio, style=PUBLISHED):
    return both(*(time_ratio(classic, ratio, 30, style) for classic in CLASSICS))


def slope(exponent, style=PUBLISHED):
    """Let the time of the paper's algorithm grow as a power of n."""
    times = {e: 2.0 ** (exponent * e) for e in EXPONENTS}
    return lambda r: r.seconds.update({(style, "newton_sqr"): times})


def up_to(last):
    """Remove longer vectors."""

    def change(results):
        groups = (results.seconds, results.extra_mib, results.evaluations)
        for numbers in (*(one for group in groups for one in group.values()), results.passes):
            for exponent in [e for e in numbers if e > last]:
                del numbers[exponent]

    return change


def memory(algorithm, mib):
    return lambda r: r.extra_mib[algorithm].update({4: mib})


def passes(**numbers):
    points = {int(exponent[1:]): value for exponent, value in numbers.items()}
    return lambda r: r.passes.update(points)


def classic_gain(classic, **gains):
    """Change the speed-up of a classic algorithm over Hoyer's, such as e4=1."""

    def change(results):
        for exponent, gain in gains.items():
            e = int(exponent[1:])
            hoyer = results.seconds[PUBLISHED, "hoyer"][e]
            results.seconds[PUBLISHED, classic][e] = hoyer / gain

    return change


def gradient(error=1e-8, slope=1.0):
    points = {e: (2.0 ** (slope * e), error if e < 9 else EMPTY) for e in (4, 8, 12, 16, 20)}
    return lambda r: setattr(r, "gradient", points)


CASES = [
    ("P1", "grows linearly", lambda r: None, YES),
    ("P1", "falls", bisection(*range(20, 10, -1)), NO),
    ("P1", "is constant", bisection(*[9.0] * 10), NO),
    ("P1", "is not a line", bisection(4, 9, 4, 9, 4, 9, 4, 9, 4, 9), NO),
    ("P1", "two n only", up_to(8), OPEN),
    ("P1", "few vectors", scattered(400.0), UNSURE),
    ("P2", "a little less", evaluations("newton", e4=7.999), YES),
    ("P2", "as many at one n", evaluations("newton", e4=8.0), NO),
    ("P2", "more at one n", evaluations("halley", e16=33.0), NO),
    ("P2", "few vectors", both(scattered(1.0, 5), evaluations("newton", e4=7.5)), UNSURE),
    ("P2", "many vectors", both(scattered(1.0), evaluations("newton", e4=7.5)), YES),
    ("P3", "as few as Halley at one n", evaluations("halley", e4=4.5), YES),
    ("P3", "Halley needs fewer", evaluations("halley", e4=4.4), NO),
    ("P3", "scattered", both(scattered(1.0), evaluations("halley", e4=4.49)), UNSURE),
    ("P4", "faster everywhere", lambda r: None, YES),
    ("P4", "as fast at one n", time_ratio("hoyer", 1.0, 8), NO),
    ("P4", "optimised code does not count", time_ratio("hoyer", 0.5, 8, OPTIMISED), YES),
    ("P4", "a classic is missing", lambda r: r.seconds.pop((PUBLISHED, "potluru")), OPEN),
    ("P4", "a classic stops early", lambda r: r.seconds[PUBLISHED, "hoyer"].pop(30), YES),
    ("P5", "15 times", all_at_the_end(15.0), NO),
    ("P5", "more than 15 times", all_at_the_end(15.001), YES),
    (
        *("P5", "the largest n that all have counts"),
        lambda r: r.seconds[PUBLISHED, "hoyer"].pop(30),
        YES,
    ),
    ("P5", "no n that all have", lambda r: r.seconds.update({(PUBLISHED, "hoyer"): {2: 1}}), OPEN),
    ("P6", "slope 0.95", slope(0.95), YES),
    ("P6", "slope 0.89", slope(0.89), NO),
    ("P6", "slope 1.11", slope(1.11), NO),
    ("P6", "half a pass more", passes(e26=6.0, e28=6.0, e30=6.0), YES),
    ("P6", "more passes", passes(e26=6.01, e28=6.01, e30=6.01), NO),
    ("P6", "more passes for short vectors", passes(e4=9.0), YES),
    ("P6", "one MiB", memory("newton_sqr", 1.0), NO),
    ("P6", "almost one MiB", memory("newton_sqr", 0.999), YES),
    ("P6", "only the default needs memory", memory("auto", 9.0), YES),
    ("P6", "short vectors only", up_to(12), OPEN),
    ("P6", "medium vectors only", up_to(22), OPEN),
    ("P6", "memory unknown", lambda r: r.extra_mib.clear(), OPEN),
    ("P7", "as in the paper", lambda r: None, YES),
    ("P7", "at the limits", evaluations("newton", e30=12.5), YES),
    ("P7", "with the evaluation at zero", evaluations("newton", e30=9.0, e28=9, e26=9), YES),
    ("P7", "too many", evaluations("newton", e30=13.0), NO),
    ("P7", "few vectors", both(scattered(2.0, 5), evaluations("newton", e30=12.0)), UNSURE),
    ("P7", "the largest n is not 2^30", up_to(28), OPEN),
    ("P8", "sublinear", lambda r: None, YES),
    ("P8", "grows as bisection", evaluations("halley", e22=44, e24=48, e26=52, e28=56, e30=60), NO),
    ("P8", "few vectors", scattered(5.0, 5), UNSURE),
    ("P8", "three n", up_to(12), OPEN),
    ("P9", "a violation", lambda r: setattr(r, "bound_violations", 1), NO),
    ("P9", "no bound", lambda r: r.evaluations.update(bisection={20: 40.0, 22: 44.0}), OPEN),
    ("P10", "as in the paper", lambda r: None, YES),
    ("P10", "as slow as Hoyer's", classic_gain("potluru", e16=1.0), NO),
    ("P10", "slower for long vectors", classic_gain("potluru", e30=0.5), YES),
    ("P10", "gains most at the end", classic_gain("thom_palm", e30=3.0), NO),
    ("P10", "not timed", lambda r: r.seconds.pop((PUBLISHED, "thom_palm")), OPEN),
    ("P11", "one wrong", lambda r: r.properties.update(order=1), NO),
    ("P11", "too few vectors", lambda r: setattr(r, "n_property_vectors", 99_999), NO),
    ("P12", "at the limit", gradient(1e-6, 1.1), YES),
    ("P12", "inexact", gradient(1.1e-6), NO),
    ("P12", "steeper", gradient(slope=1.11), NO),
    ("P12", "no errors", gradient(EMPTY), OPEN),
]


@by_cases(CASES)
def test_verdict_follows_from_the_numbers(tmp_path, identifier, change, expected):
    assert verdict_after(tmp_path, identifier, change) == expected


def test_revised_conditions_are_also_judged_as_before(tmp_path):
    slow = both(time_ratio("hoyer", 0.9, 30, OPTIMISED), slope(1.2, OPTIMISED))
    for identifier in ("P4", "P5", "P6"):
        found = finding_after(tmp_path, identifier, slow)
        assert (found.verdict, found.old_verdict) == (YES, NO)


def test_the_nearer_way_of_counting_decides(tmp_path):
    found = finding_after(tmp_path, "P7", evaluations("newton", e30=9.0, e28=9.0, e26=9.0))
    deciding = [measure.what for measure in found.measures if measure.decides]
    assert len(deciding) == 3 and all(", with the evaluation at zero" in one for one in deciding)
