"""Verdicts on the reproduction of images from synthetic results."""

import numpy as np
import pytest
from helpers.claim_verdicts import (
    NO,
    OPEN,
    UNSURE,
    YES,
    by_cases,
    finding_after,
    verdict_after,
    verdicts,
)
from helpers.synthetic_results import Results

LOW = (0.75, 0.75)  # sigma_h and sigma_i


def course(*points):
    """Change a curve over iterations."""
    return lambda r: r.curves["iterations"].update({LOW: dict(points)})


def point(learner, parameter, sigma_i, value):
    """Change a point of a curve over the sparseness of the codes."""
    return lambda r: r.curves[learner][(parameter,)].update({sigma_i: value})


def both(*changes):
    """Apply several changes."""
    return lambda r: [change(r) for change in changes]


def noisy(name, deviation):
    """Let a quantity differ between seeds and images."""
    return lambda r: r.noise.update({name: deviation})


def without_dictionary(learner, parameter):
    return lambda r: r.curves[learner].pop((parameter,))


def at_equal_sparseness(*values):
    """Change the SSIM where the codes have the sparseness of learning."""
    degrees = (0.75, 0.85, 0.95, 0.99)
    return both(*(point("ezdl", h, h, one) for h, one in zip(degrees, values, strict=True)))


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
    ("R1", "exactly 80 %", course((1, 0.0), (10, 0.8), (100, 1.0), (200, 1.0)), YES),
    ("R1", "79 %", course((1, 0.0), (10, 0.79), (100, 1.0), (200, 1.0)), NO),
    ("R1", "hardly a gain", course((1, 0.5), (10, 0.519), (100, 0.519), (200, 0.519)), NO),
    ("R1", "ever worse", course((1, 1.0), (10, 0.0), (100, 0.0), (200, 0.0)), NO),
    ("R1", "still grows", course((1, 0.0), (10, 0.9), (100, 0.998), (200, 1.0)), NO),
    ("R1", "hardly grows", course((1, 0.0), (10, 0.9), (100, 0.9981), (200, 1.0)), YES),
    ("R1", "200 not measured", without_points("iterations", 200), OPEN),
    ("R1", "10 not measured", without_points("iterations", 10), OPEN),
    ("R1", "100 not measured", without_points("iterations", 100), OPEN),
    ("R1", "noise", noisy("iterations", 0.02), UNSURE),
    ("R2", "at the limits", at("ezdl", 0.75, 0.99, 0.99, 1, 1), YES),
    ("R2", "too low", at("ezdl", 0.75, 0.9899, 0.99, 1, 1), NO),
    ("R2", "too different", at("ezdl", 0.75, 0.991, 0.997, 1, 1), NO),
    ("R2", "one not learned", without_dictionary("ezdl", 0.75), OPEN),
    ("R2", "noise", noisy("ezdl", 0.02), UNSURE),
    ("R3", "at the limit", at("ezdl", 0.85, 0.5, 0.5051, 1, 1), YES),
    ("R3", "hardly worse", at("ezdl", 0.85, 0.5, 0.5049, 1, 1), NO),
    ("R3", "no loss", at("ezdl", 0.85, 0.9, 0.996, 1, 1), NO),
    ("R3", "one not learned", without_dictionary("ezdl", 0.85), OPEN),
    ("R3", "noise", noisy("ezdl", 0.02), UNSURE),
    ("R4", "at the limit", at("ezdl", 0.8, 0.0, 0.02, 0.01, 0.01), YES),
    ("R4", "beyond the limit", at("ezdl", 0.8, 0.0, 0.0201, 0.01, 0.01), NO),
    ("R4", "above 0.80 nothing is asked", at("ezdl", 0.925, 0.0, 0.5, 0.6, 0.7), YES),
    ("R4", "sparse codes only", without_points("ezdl", 0.5, 0.75, 0.8), OPEN),
    ("R4", "one dictionary", one_curve("ezdl"), OPEN),
    ("R4", "noise", noisy("ezdl", 0.05), UNSURE),
    ("R5", "rises", at("ezdl", 0.99, 0.7, 0.701, 0.702, 0.703), YES),
    ("R5", "equal once", at("ezdl", 0.99, 0.7, 0.71, 0.71, 0.72), NO),
    ("R5", "falls in the end", at("ezdl", 0.99, 0.7, 0.71, 0.72, 0.715), NO),
    ("R5", "one not learned", without_dictionary("ezdl", 0.95), OPEN),
    ("R5", "0.99 not measured", without_points("ezdl", 0.99), OPEN),
    ("R5", "noise", noisy("ezdl", 0.03), UNSURE),
    ("R6", "at the limit below", at("odl", 0.8, 0.0, 0.03, 0.01, 0.01), YES),
    ("R6", "beyond it", at("odl", 0.8, 0.0, 0.0301, 0.01, 0.01), NO),
    ("R6", "at the limit from 0.925 on", at("odl", 0.925, 0.0, 0.02, 0.01, 0.01), YES),
    ("R6", "beyond it from 0.925 on", at("odl", 0.925, 0.0, 0.0201, 0.01, 0.01), NO),
    ("R6", "large as good at 0.5", at("odl", 0.5, 0.9, 0.9, 0.9, 0.9), NO),
    ("R6", "large as good at 0.975", at("odl", 0.975, 0.9, 0.9, 0.9, 0.9), NO),
    ("R6", "0.975 not measured", without_points("odl", 0.975), OPEN),
    ("R6", "one penalty", one_curve("odl"), OPEN),
    ("R6", "noise", noisy("odl", 0.02), UNSURE),
    ("R7", "by a little", at("rls-dla", 0.99, 0.7, 0.7, 0.7, 0.7001), YES),
    ("R7", "as another", at("rls-dla", 0.99, 0.7, 0.7001, 0.7, 0.7001), NO),
    ("R7", "16 nonzeros better than 8", at("rls-dla", 0.99, 0.7, 0.73, 0.7, 0.74), YES),
    ("R7", "one number of nonzeros", one_curve("rls-dla"), OPEN),
    ("R7", "0.99 not measured", without_points("rls-dla", 0.99), OPEN),
    ("R7", "noise", noisy("rls-dla", 0.02), UNSURE),
    ("R8", "at the limit", at("odl", 0.8, 1.0099, 0.5, 0.5, 0.5), YES),
    ("R8", "beyond the limit", at("odl", 0.8, 1.0101, 0.5, 0.5, 0.5), NO),
    ("R8", "others may be worse", at("odl", 0.99, 0.1, 0.1, 0.1, 0.76), YES),
    ("R8", "two learners", lambda r: r.curves["odl"].clear(), OPEN),
    ("R8", "a point is missing", without_points("odl", 0.5), OPEN),
    ("R8", "noise", noisy("odl", 0.05), UNSURE),
    ("R9", "at the limit", at("ezdl", 0.75, 1.0, 0.97, 0.97, 0.97), YES),
    ("R9", "below it", at("ezdl", 0.75, 1.0, 0.9699, 0.97, 0.97), NO),
    ("R9", "nearer to σ_H nothing is asked", point("ezdl", 0.85, 0.8, 0.5), YES),
    ("R9", "sparse codes only", without_points("ezdl", 0.5, 0.75, 0.8, 0.85), OPEN),
    ("R9", "noise", both(noisy("ezdl", 0.05), point("ezdl", 0.99, 0.75, 0.975)), UNSURE),
    ("R10", "falls", at_equal_sparseness(0.9, 0.899, 0.898, 0.897), YES),
    ("R10", "equal once", at_equal_sparseness(0.9, 0.8, 0.8, 0.7), NO),
    ("R10", "rises", at_equal_sparseness(0.7, 0.8, 0.9, 0.95), NO),
    ("R10", "0.85 not measured", without_points("ezdl", 0.85), OPEN),
    ("R10", "noise", both(noisy("ezdl", 0.02), at_equal_sparseness(0.9, 0.899, 0.8, 0.7)), UNSURE),
    ("R11", "nearly as much", at("odl", 0.95, 0.8, 0.8, 0.8, 0.8179), YES),
    ("R11", "as much", at("odl", 0.95, 0.8, 0.8, 0.8, 0.82), NO),
    ("R11", "below 0.9 nothing is asked", at("odl", 0.8, 0.1, 0.5, 0.8, 0.9), YES),
    ("R11", "one penalty", one_curve("odl"), OPEN),
    ("R11", "noise", noisy("odl", 0.02), UNSURE),
    ("R12", "as SSIM", lambda r: None, YES),
    ("R12", "one learner missing", lambda r: r.curves["rls-dla"].clear(), OPEN),
]


@by_cases(CASES)
def test_verdict_follows_from_the_numbers(tmp_path, identifier, change, expected):
    assert verdict_after(tmp_path, identifier, change) == expected


def edit_psnr(folder, new):
    """Replace the PSNR in the tables of reproductions by a function of row and SSIM."""
    table = folder / "tables" / "reproduction" / "all.csv"
    header, *rows = table.read_text().splitlines()
    rows = [row.rpartition(",")[0] for row in rows]
    rows = [f"{row},{new(i, float(row.rpartition(',')[2]))}" for i, row in enumerate(rows)]
    table.write_text("\n".join([header, *rows]))


def test_psnr_must_have_the_order_of_the_ssim(tmp_path):
    folder = Results().write(tmp_path)
    rng = np.random.default_rng(0)
    for new, expected in (
        (lambda i, ssim: 10 + 30 * ssim, YES),
        (lambda i, ssim: 40 - 30 * ssim, NO),
        (lambda i, ssim: 10 + 30 * ssim + rng.normal(0, 0.6), UNSURE),
    ):
        edit_psnr(folder, new)
        assert verdicts(folder)["R12"] == expected


def test_all_comparisons_are_kept(tmp_path):
    measure = finding_after(tmp_path, "R4", lambda r: None).measures[0]
    assert len(measure.cases) == 6 * 3  # pairs of dictionaries, degrees of sparseness
    assert measure.units == {"seeds": 3, "images": 6}


@pytest.mark.parametrize("claim", ["R8", "R11"])
def test_an_outlying_image_does_not_select_the_best_dictionary(tmp_path, claim):
    def outlier(results):
        results.images = tuple("abcdefgh")
        name = "ezdl" if claim == "R8" else "odl"
        curve = next(reversed(results.curves[name]))
        results.image_effects[name, curve] = {"h": -1.5 if claim == "R11" else 0.5}
        results.noise[name] = 1e-4

    assert verdict_after(tmp_path, claim, outlier) == YES
