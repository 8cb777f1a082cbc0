"""Verdicts on the speed of learning and on denoising from synthetic results."""

import pytest
from helpers.claim_verdicts import NO, OPEN, UNSURE, YES, by_cases, finding_after, verdict_after
from helpers.synthetic_curves import EMPTY
from helpers.synthetic_results import EZDL, ODL, RLS_DLA, SPAMS

HISTORY = {
    "odl": ("odl", EMPTY),
    "rls-dla": ("rls-dla", EMPTY),
    "ezdl 1": ("ezdl", 1),
    "ezdl 0.25": ("ezdl", 0.25),
    "ezdl 0.0625": ("ezdl", 0.0625),
}


def epochs(**seconds):
    """Change times of an epoch with 8 × 8 pixels."""
    names = {"ezdl": EZDL, "odl": ODL, "rls_dla": RLS_DLA, "spams": SPAMS}
    return lambda r: r.epochs.update({(8, names[k]): time for k, time in seconds.items()})


def course(name, **ssim):
    """Change points of the history of a learner, such as e100=0.7."""
    points = {int(epoch[1:]): value for epoch, value in ssim.items()}
    return lambda r: r.curves["history"][HISTORY[name]].update(points)


def flat(results):
    """No learner improves: differences are exact."""
    for curve in results.curves["history"].values():
        curve.update(dict.fromkeys(curve, 0.0))


def flat_but(name, **ssim):
    """No learner improves, except for some points of one of them."""

    def change(results):
        flat(results)
        course(name, **ssim)(results)

    return change


def until(last):
    """The training ends after `last` epochs."""

    def change(results):
        for name, curve in results.curves["history"].items():
            kept = {epoch: ssim for epoch, ssim in curve.items() if epoch <= last}
            results.curves["history"][name] = kept

    return change


def noisy(name, deviation):
    """Let a quantity differ between seeds and images."""
    return lambda r: r.noise.update({name: deviation})


def both(*changes):
    """Apply several changes."""
    return lambda r: [change(r) for change in changes]


def denoised(name, rules="authors", **psnr):
    """Change the PSNR of a learner at noise levels, such as s5=40."""
    levels = {float(level[1:].replace("_", ".")): value for level, value in psnr.items()}
    return lambda r: r.curves["denoising"][rules, name].update(levels)


def all_denoised(*psnr):
    """Change the PSNR of EZDL, ODL and RLS-DLA at σ = 5."""
    names = ("ezdl", "odl", "rls-dla")
    return both(*(denoised(name, s5=one) for name, one in zip(names, psnr, strict=True)))


def lead(name, decibels):
    """Let a learner lead over ODL by this much at all levels."""

    def change(results):
        odl = results.curves["denoising"]["authors", "odl"]
        lifted = {sigma: psnr + decibels for sigma, psnr in odl.items()}
        results.curves["denoising"]["authors", name] = lifted

    return change


def without_level(level):
    def change(results):
        for curve in results.curves["denoising"].values():
            curve.pop(level)

    return change


def one_level(results):
    for key, curve in results.curves["denoising"].items():
        results.curves["denoising"][key] = {5: curve[5]}


def restored(task, learner, decibels, setting=None):
    """Change the PSNR of a learner in a task, at all settings or one of them."""

    def change(results):
        curve = results.curves["restoration"][task, learner]
        curve.update({at: 30.0 + decibels for at in curve if setting in (None, at)})

    return change


def without_learner(name):
    return lambda r: r.curves["denoising"].pop(("authors", name))


def all_ssim(ezdl, odl, rls_dla):
    """Change the SSIM of all learners at σ = 5."""
    values = {"ezdl": ezdl, "odl": odl, "rls-dla": rls_dla}
    return lambda r: r.ssim.update({("authors", name, 5): one for name, one in values.items()})


OTHER = {"super-resolution": 3, "deblurring": 2.5, "inpainting": 80}
CASES = [
    ("S1", "at the limit", epochs(ezdl=0.7, odl=1.0), YES),
    ("S1", "beyond the limit", epochs(ezdl=0.701, odl=1.0), NO),
    ("S1", "SPAMS is faster", epochs(spams=0.05), NO),
    ("S1", "SPAMS is slower", epochs(spams=0.5), YES),
    ("S1", "other pixels only", lambda r: r.epochs.pop((8, ODL)), OPEN),
    ("S2", "at the limit", epochs(ezdl=0.5, rls_dla=1.0), YES),
    ("S2", "beyond the limit", epochs(ezdl=0.5, rls_dla=0.99), NO),
    ("S2", "not timed", lambda r: r.epochs.pop((8, RLS_DLA)), OPEN),
    ("S3", "a small step back", flat_but("odl", e5=0.003), YES),
    ("S3", "a larger step back", flat_but("odl", e5=0.0031), NO),
    ("S3", "many small steps back", flat_but("odl", e2=-0.002, e5=-0.004, e10=-0.006), NO),
    ("S3", "at the limit of what is gained", flat_but("odl", e1000=0.01), YES),
    ("S3", "much is gained", flat_but("odl", e1000=0.0101), NO),
    ("S3", "100 epochs", until(100), OPEN),
    ("S3", "one epoch", until(1), OPEN),
    ("S3", "not followed", lambda r: r.curves["history"].pop(HISTORY["odl"]), OPEN),
    ("S3", "noise", noisy("history", 0.02), UNSURE),
    ("S4", "lowest at 10", flat_but("ezdl 1", e10=-1.0), YES),
    ("S4", "lowest at 20", flat_but("ezdl 1", e20=-1.0), NO),
    ("S4", "lowest at 1", flat_but("ezdl 1", e1=-1.0), NO),
    ("S4", "at the limit at 100", flat_but("ezdl 1", e5=-1.0, e100=0.01), YES),
    ("S4", "better than ODL at 100", flat_but("ezdl 1", e5=-1.0, e100=0.0101), NO),
    ("S4", "no change but noise", both(flat, noisy("history", 0.002)), UNSURE),
    ("S4", "20 epochs", until(20), OPEN),
    ("S4", "10 epochs", until(10), OPEN),
    ("S4", "noise", noisy("history", 0.03), UNSURE),
    ("S5", "at the limit at 20", flat_but("ezdl 0.25", e20=-0.003), YES),
    ("S5", "behind at 20", flat_but("ezdl 0.25", e20=-0.0031), NO),
    ("S5", "at the limit at 100", flat_but("ezdl 0.0625", e100=-0.003), YES),
    ("S5", "behind at 5", flat_but("ezdl 0.0625", e5=-0.0031), NO),
    ("S5", "behind after 100", flat_but("ezdl 0.0625", e1000=-1.0), YES),
    ("S5", "20 epochs", until(20), OPEN),
    ("S5", "5 epochs", until(5), OPEN),
    ("S5", "noise", noisy("history", 0.02), UNSURE),
    ("S6", "at the limit", flat_but("ezdl 0.0625", e1000=-0.01), YES),
    ("S6", "beyond the limit", flat_but("ezdl 0.0625", e1000=-0.0101), NO),
    ("S6", "a small step ends higher", course("ezdl 0.0625", e1000=0.786), NO),
    ("S6", "not all followed", lambda r: r.curves["history"].pop(HISTORY["ezdl 0.25"]), OPEN),
    ("S6", "100 epochs", until(100), OPEN),
    ("S6", "noise", noisy("history", 0.01), UNSURE),
    ("S7", "at the limits", course("rls-dla", e1=0.7001, e100=0.78, e1000=0.785), YES),
    ("S7", "behind at first", course("rls-dla", e1=0.69), NO),
    ("S7", "ahead at 50", course("rls-dla", e50=0.776), NO),
    ("S7", "gains little", course("rls-dla", e100=0.7801), NO),
    ("S7", "ends lower", course("rls-dla", e1000=0.7749), NO),
    ("S7", "behind at first, 100 epochs", both(course("rls-dla", e1=0.69), until(100)), NO),
    ("S7", "behind at first, 20 epochs", both(course("rls-dla", e1=0.69), until(20)), NO),
    ("S7", "100 epochs", until(100), OPEN),
    ("S7", "noise", noisy("history", 0.02), UNSURE),
    ("S8", "twice as fast", lambda r: None, YES),
    ("S8", "ODL is far ahead", course("odl", e1=0.9), NO),
    ("S8", "EZDL is as slow", epochs(ezdl=0.2), YES),
    ("S8", "EZDL is slower", epochs(ezdl=0.4), NO),
    ("S8", "not timed", lambda r: r.epochs.pop((8, ODL)), OPEN),
    ("S8", "noise", both(noisy("history", 0.03), epochs(ezdl=0.2)), UNSURE),
    ("N1", "falls", denoised("odl", s5=42.99), YES),
    ("N1", "constant once", denoised("odl", s5=43.0), NO),
    ("N1", "one level", one_level, OPEN),
    ("N1", "two learners", without_learner("odl"), OPEN),
    ("N1", "noise", noisy("denoising", 20.0), UNSURE),
    ("N2", "at the limit", all_denoised(0.3, 0.0, 0.1), YES),
    ("N2", "beyond the limit", all_denoised(0.301, 0.0, 0.1), NO),
    ("N2", "by the other rules", denoised("ezdl", "ezdl", s5=99.0), YES),
    ("N2", "two learners", without_learner("odl"), OPEN),
    ("N2", "noise", noisy("denoising", 0.5), UNSURE),
    ("N3", "by a little", both(lead("ezdl", 0.001), lead("rls-dla", 0.001)), YES),
    ("N3", "EZDL equal", lead("ezdl", 0.0), NO),
    ("N3", "RLS-DLA worse", lead("rls-dla", -0.01), NO),
    ("N3", "worse at one level, better in the mean", denoised("ezdl", s2_5=42.9), YES),
    ("N3", "7.5 not measured", without_level(7.5), OPEN),
    ("N3", "noise", noisy("denoising", 0.5), UNSURE),
    ("N4", "at the limit", all_ssim(0.81, 0.8, 0.805), YES),
    ("N4", "beyond the limit", all_ssim(0.8101, 0.8, 0.805), NO),
    ("N4", "rises", all_ssim(0.9, 0.9, 0.9), NO),
    ("N4", "two learners", without_learner("odl"), OPEN),
    ("N4", "noise", noisy("denoising", 1.0), UNSURE),
    *(
        (claim, what, change, expected)
        for claim, task, setting in (
            ("X1", "super-resolution", 2),
            ("X2", "deblurring", 1.6),
            ("X3", "inpainting", 50),
        )
        for what, change, expected in (
            ("better", restored(task, "ezdl", 9.0), YES),
            ("at the limit", restored(task, "rls-dla", 0.1), YES),
            ("beyond the limit", restored(task, "rls-dla", 0.101), NO),
            ("worse than ODL", restored(task, "odl", 0.2, setting), NO),
            ("worse at the other setting", restored(task, "ezdl", -9.0, OTHER[task]), YES),
            (
                "two learners",
                lambda r, task=task: r.curves["restoration"].pop((task, "odl")),
                OPEN,
            ),
            ("noise", noisy("restoration", 0.5), UNSURE),
        )
    ),
]


@by_cases(CASES)
def test_verdict_follows_from_the_numbers(tmp_path, identifier, change, expected):
    assert verdict_after(tmp_path, identifier, change) == expected


def test_gaps_at_other_settings_are_only_reported(tmp_path):
    found = finding_after(tmp_path / "all", "X3", restored("inpainting", "odl", 0.7, 80))
    assert found.verdict == YES
    other = found.measures[-1]
    assert not other.decides and other.what.endswith("80 % missing")
    assert other.value == pytest.approx(0.7)
    change = both(lambda r: r.curves["restoration"]["inpainting", "odl"].pop(80))
    found = finding_after(tmp_path / "some", "X3", change)
    assert found.verdict == YES and len(found.measures) == 3


def test_a_revised_condition_is_also_judged_as_before(tmp_path):
    worse = both(denoised("ezdl", s2_5=42.9), denoised("ezdl", "ezdl", s2_5=42.9))
    found = finding_after(tmp_path, "N3", worse)
    assert (found.verdict, found.old_verdict) == (YES, NO)
    found = finding_after(tmp_path, "S4", flat_but("ezdl 1", e1=-1.0))
    assert (found.verdict, found.old_verdict) == (NO, YES)
    found = finding_after(tmp_path, "S6", both(flat, until(100)))
    assert (found.verdict, found.old_verdict) == (OPEN, YES)


def different_images(results):
    """Let images differ far more from each other than learners do."""
    effects = dict(zip(results.images, (-5.0, -3.0, -1.0, 1.0, 3.0, 5.0), strict=True))
    for curve in results.curves["denoising"]:
        results.image_effects["denoising", curve] = effects


def test_a_small_consistent_difference_between_different_images_is_found(tmp_path):
    small = both(different_images, lead("ezdl", 0.01), lead("rls-dla", 0.01))
    found = finding_after(tmp_path, "N3", small)
    assert found.verdict == YES and found.measures[0].high - found.measures[0].low < 1e-9
    assert verdict_after(tmp_path, "N3", both(different_images, lead("ezdl", -0.01))) == NO


def outlier(results):
    """Let the dictionaries of EZDL fail on one of twelve images."""
    results.images = tuple("abcdefghijkl")
    results.noise["denoising"] = 0.005
    results.image_effects["denoising", ("authors", "ezdl")] = {"l": -20.0}


def test_several_differing_images_are_not_outlying(tmp_path):
    def differing(results):
        outlier(results)
        results.image_effects["denoising", ("authors", "ezdl")] = dict.fromkeys("hijkl", -2.0)

    assert verdict_after(tmp_path, "N2", differing) == UNSURE


def test_an_outlying_image_does_not_turn_a_verdict(tmp_path):
    found = finding_after(tmp_path, "N3", outlier)
    assert found.verdict == YES and found.measures[0].outlying == ("l",)
    assert verdict_after(tmp_path, "N2", outlier) == YES
    assert verdict_after(tmp_path, "N3", both(lead("ezdl", -0.1), outlier)) == NO
