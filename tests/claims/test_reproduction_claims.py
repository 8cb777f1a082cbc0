"""Verdicts on the reproduction of images from synthetic results."""

from helpers.synthetic_results import NO, OPEN, YES, by_cases, verdict_after

# Pairs of sigma_h and sigma_i.
LOW, HIGH = (0.75, 0.75), (0.85, 0.75)
LOW_85, HIGH_85 = (0.75, 0.85), (0.85, 0.85)


def course(*points):
    """Change a curve over iterations."""
    return lambda r: r.curves["iterations"].update({LOW: dict(points)})


def two_ends(curve, end, other, other_end):
    """Change two curves at 100 iterations."""

    def change(results):
        results.curves["iterations"][curve][100] = end
        results.curves["iterations"][other][100] = other_end

    return change


def without_points(figure, *abscissas):
    """Remove points from all curves of a figure."""

    def change(results):
        for curve in results.curves[figure].values():
            for x in abscissas:
                del curve[x]

    return change


def at(figure, x, *values):
    """Change all curves of a figure at an abscissa."""

    def change(results):
        for curve, value in zip(results.curves[figure].values(), values, strict=True):
            curve[x] = value

    return change


def one_curve(figure):
    return lambda r: r.curves.update({figure: dict(list(r.curves[figure].items())[:1])})


CASES = [
    ("R1", "exactly 80 %", course((1, 0.0), (10, 0.8), (100, 1.0)), YES),
    ("R1", "79 %", course((1, 0.0), (10, 0.79), (100, 1.0)), NO),
    ("R1", "never better", course((1, 0.5), (10, 0.5), (100, 0.5)), NO),
    ("R1", "ever worse", course((1, 1.0), (10, 0.0), (100, 0.0)), NO),
    ("R1", "still grows", course((1, 0.0), (10, 0.9), (100, 0.998), (200, 1.0)), NO),
    ("R1", "hardly grows", course((1, 0.0), (10, 0.9), (100, 0.9981), (200, 1.0)), YES),
    ("R1", "200 not measured", without_points("iterations", 200), YES),
    ("R1", "10 not measured", without_points("iterations", 10), OPEN),
    ("R1", "100 not measured", without_points("iterations", 100), OPEN),
    ("R2", "at the limits", two_ends(LOW, 0.99, HIGH, 0.99), YES),
    ("R2", "too low", two_ends(LOW, 0.9899, HIGH, 0.99), NO),
    ("R2", "too different", two_ends(LOW, 0.991, HIGH, 0.997), NO),
    ("R2", "one not learned", lambda r: r.curves["iterations"].pop(LOW), OPEN),
    ("R2", "10 iterations", without_points("iterations", 100, 200), OPEN),
    ("R3", "at the limit", two_ends(LOW_85, 0.0, HIGH_85, 0.005), YES),
    ("R3", "hardly better", two_ends(LOW_85, 0.0, HIGH_85, 0.0049), NO),
    ("R3", "worse", two_ends(LOW_85, 0.5, HIGH_85, 0.4), NO),
    ("R3", "one not learned", lambda r: r.curves["iterations"].pop(HIGH_85), OPEN),
    ("R4", "at the limit", at("ezdl", 0.8, 0.0, 0.02, 0.01, 0.01), YES),
    ("R4", "beyond the limit", at("ezdl", 0.8, 0.0, 0.0201, 0.01, 0.01), NO),
    ("R4", "above 0.80 nothing is asked", at("ezdl", 0.925, 0.0, 0.5, 0.6, 0.7), YES),
    ("R4", "sparse codes only", without_points("ezdl", 0.5, 0.8), OPEN),
    ("R4", "one dictionary", one_curve("ezdl"), OPEN),
    ("R5", "rises", at("ezdl", 0.99, 0.7, 0.701, 0.702, 0.703), YES),
    ("R5", "equal once", at("ezdl", 0.99, 0.7, 0.71, 0.71, 0.72), NO),
    ("R5", "falls in the end", at("ezdl", 0.99, 0.7, 0.71, 0.72, 0.715), NO),
    ("R5", "one not learned", lambda r: r.curves["ezdl"].pop((0.95,)), OPEN),
    ("R5", "0.99 not measured", without_points("ezdl", 0.99), OPEN),
    ("R6", "at the limit below", at("odl", 0.8, 0.0, 0.03, 0.01, 0.01), YES),
    ("R6", "beyond it", at("odl", 0.8, 0.0, 0.0301, 0.01, 0.01), NO),
    ("R6", "at the limit from 0.925 on", at("odl", 0.925, 0.0, 0.02, 0.01, 0.01), YES),
    ("R6", "beyond it from 0.925 on", at("odl", 0.925, 0.0, 0.0201, 0.01, 0.01), NO),
    ("R6", "large as good at 0.5", at("odl", 0.5, 0.9, 0.9, 0.9, 0.9), NO),
    ("R6", "large as good at 0.975", at("odl", 0.975, 0.9, 0.9, 0.9, 0.9), NO),
    ("R6", "0.975 not measured", without_points("odl", 0.975), OPEN),
    ("R6", "one penalty", one_curve("odl"), OPEN),
    ("R7", "by a little", at("rls-dla", 0.99, 0.7, 0.7, 0.7, 0.7001), YES),
    ("R7", "as another", at("rls-dla", 0.99, 0.7, 0.7001, 0.7, 0.7001), NO),
    ("R7", "16 nonzeros better than 8", at("rls-dla", 0.99, 0.7, 0.73, 0.7, 0.74), YES),
    ("R7", "one number of nonzeros", one_curve("rls-dla"), OPEN),
    ("R7", "0.99 not measured", without_points("rls-dla", 0.99), OPEN),
    ("R8", "at the limit", at("envelopes", 0.5, 0.0, 0.02, 0.01), YES),
    ("R8", "beyond the limit", at("envelopes", 0.99, 0.0, 0.0201, 0.01), NO),
    ("R8", "two learners", lambda r: r.curves["envelopes"].pop(("odl",)), OPEN),
    ("R8", "a point is missing", lambda r: r.curves["envelopes"][("odl",)].pop(0.5), OPEN),
]


@by_cases(CASES)
def test_verdict_follows_from_the_numbers(tmp_path, identifier, change, expected):
    assert verdict_after(tmp_path, identifier, change) == expected
