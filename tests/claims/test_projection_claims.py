"""Verdicts on the projection from synthetic results."""

from helpers.synthetic_results import NO, OPEN, YES, by_cases, verdict_after

CLASSICS = ("hoyer", "potluru", "thom_palm")


def steps(results):
    """Evaluations that a line does not describe."""
    results.evaluations["bisection"] = {2: 4.0, 3: 10.0, 4: 4.0, 5: 10.0}


def all_at_the_end(ratio):
    """Set the time ratio of all classic algorithms at the largest n."""

    def change(results):
        for name in CLASSICS:
            results.seconds[name][30] = ratio * results.seconds["newton_sqr"][30]

    return change


def slope(exponent):
    """Let the time of both algorithms grow as a power of n."""

    def change(results):
        for name in ("auto", "newton_sqr"):
            results.seconds[name] = {e: 2.0 ** (exponent * e) for e in (4, 16, 20, 30)}

    return change


def without_long_vectors(results):
    for algorithms in (results.seconds, results.extra_mib, results.evaluations):
        for numbers in algorithms.values():
            del numbers[20], numbers[30]


CASES = [
    ("P1", "grows linearly", lambda r: None, YES),
    ("P1", "falls", lambda r: r.evaluations.update(bisection={4: 9.0, 8: 6.0, 12: 3.0}), NO),
    ("P1", "is constant", lambda r: r.evaluations.update(bisection={4: 9.0, 8: 9.0, 12: 9.0}), NO),
    ("P1", "is not a line", steps, NO),
    ("P1", "two n only", without_long_vectors, OPEN),
    ("P2", "one less everywhere", lambda r: r.evaluations["newton"].update({4: 7.999}), YES),
    ("P2", "as many at one n", lambda r: r.evaluations["newton"].update({4: 8.0}), NO),
    ("P2", "more at one n", lambda r: r.evaluations["halley"].update({16: 33.0}), NO),
    ("P3", "as few as Halley at one n", lambda r: r.evaluations["halley"].update({4: 4.5}), YES),
    ("P3", "Halley needs fewer", lambda r: r.evaluations["halley"].update({4: 4.4}), NO),
    ("P3", "at the upper limit", lambda r: r.evaluations["newton"].update({30: 12.5}), YES),
    ("P3", "at the lower limit", lambda r: r.evaluations["newton_sqr"].update({30: 3.0}), YES),
    ("P3", "beyond the limit", lambda r: r.evaluations["newton"].update({30: 12.51}), NO),
    ("P3", "the largest n is not 2^30", without_long_vectors, OPEN),
    ("P4", "faster everywhere", lambda r: None, YES),
    ("P4", "as fast at one n", lambda r: r.seconds["hoyer"].update(r.seconds["auto"]), NO),
    ("P4", "a classic is missing", lambda r: r.seconds.pop("potluru"), OPEN),
    ("P4", "a classic stops early", lambda r: r.seconds["hoyer"].pop(30), YES),
    ("P4", "only the default is slow", lambda r: r.seconds["auto"].update({4: 1.0}), YES),
    ("P5", "15 times", all_at_the_end(15.0), NO),
    ("P5", "more than 15 times", all_at_the_end(15.001), YES),
    ("P5", "the largest n that all have counts", lambda r: r.seconds["hoyer"].pop(30), YES),
    ("P5", "no n that all have", lambda r: r.seconds.update(hoyer={2: 1.0}), OPEN),
    ("P6", "slope 0.95", slope(0.95), YES),
    ("P6", "slope 0.89", slope(0.89), NO),
    ("P6", "slope 1.11", slope(1.11), NO),
    ("P6", "one MiB", lambda r: r.extra_mib["newton_sqr"].update({4: 1.0}), NO),
    ("P6", "almost one MiB", lambda r: r.extra_mib["newton_sqr"].update({4: 0.999}), YES),
    ("P6", "only the default needs memory", lambda r: r.extra_mib["auto"].update({4: 9.0}), YES),
    ("P6", "only the default is slow", lambda r: r.seconds["auto"].update({30: 99.0}), YES),
    ("P6", "short vectors only", without_long_vectors, OPEN),
    ("P6", "memory unknown", lambda r: r.extra_mib.clear(), OPEN),
]


@by_cases(CASES)
def test_verdict_follows_from_the_numbers(tmp_path, identifier, change, expected):
    assert verdict_after(tmp_path, identifier, change) == expected
