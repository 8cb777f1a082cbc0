"""Verdicts on the speed of learning and on denoising from synthetic results."""

from helpers.synthetic_results import (
    EMPTY,
    EZDL,
    NO,
    ODL,
    OPEN,
    RLS_DLA,
    SPAMS,
    YES,
    by_cases,
    verdict_after,
)

HISTORY = {
    "odl": ("odl", EMPTY),
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


def noise(name, *psnr):
    """Change the PSNR of a learner over the noise level."""
    levels = dict(zip((2.5, 5, 50), psnr, strict=True))
    return lambda r: r.curves["denoising"].update({(name,): levels})


def all_noise(*psnr):
    """Change the PSNR of EZDL, ODL and RLS-DLA at σ = 5."""

    def change(results):
        for curve, value in zip(results.curves["denoising"].values(), psnr, strict=True):
            curve[5] = value

    return change


def without_level(level):
    def change(results):
        for curve in results.curves["denoising"].values():
            del curve[level]

    return change


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
    ("S3", "at the limit of what is gained", flat_but("odl", e1000=0.01), YES),
    ("S3", "much is gained", flat_but("odl", e1000=0.0101), NO),
    ("S3", "100 epochs", until(100), OPEN),
    ("S3", "one epoch", until(1), OPEN),
    ("S3", "not followed", lambda r: r.curves["history"].pop(HISTORY["odl"]), OPEN),
    ("S4", "worst at 10", flat_but("ezdl 1", e10=-1.0), YES),
    ("S4", "worst at 20", flat_but("ezdl 1", e20=-1.0), NO),
    ("S4", "at the limit at 100", flat_but("ezdl 1", e1=-1.0, e100=0.01), YES),
    ("S4", "better than ODL at 100", flat_but("ezdl 1", e1=-1.0, e100=0.0101), NO),
    ("S4", "20 epochs", until(20), OPEN),
    ("S4", "10 epochs", until(10), OPEN),
    ("S5", "at the limit at 20", flat_but("ezdl 0.25", e20=-0.003), YES),
    ("S5", "behind at 20", flat_but("ezdl 0.25", e20=-0.0031), NO),
    ("S5", "at the limit at 100", flat_but("ezdl 0.0625", e100=-0.003), YES),
    ("S5", "behind at 5", flat_but("ezdl 0.0625", e5=-0.0031), NO),
    ("S5", "behind after 100", flat_but("ezdl 0.0625", e1000=-1.0), YES),
    ("S5", "20 epochs", until(20), OPEN),
    ("S5", "5 epochs", until(5), OPEN),
    ("S6", "at the limit", flat_but("ezdl 0.0625", e1000=-0.01), YES),
    ("S6", "beyond the limit", flat_but("ezdl 0.0625", e1000=-0.0101), NO),
    ("S6", "not all followed", lambda r: r.curves["history"].pop(HISTORY["ezdl 0.25"]), OPEN),
    ("S6", "one ends early", lambda r: r.curves["history"][HISTORY["odl"]].pop(1000), OPEN),
    ("N1", "falls", noise("odl", 43.0, 42.99, 30.0), YES),
    ("N1", "constant once", noise("odl", 43.0, 43.0, 30.0), NO),
    ("N1", "one level", lambda r: r.curves.update(denoising={("ezdl",): {5: 40.0}}), OPEN),
    ("N1", "two learners", lambda r: r.curves["denoising"].pop(("odl",)), OPEN),
    ("N2", "at the limit", all_noise(0.3, 0.0, 0.1), YES),
    ("N2", "beyond the limit", all_noise(0.301, 0.0, 0.1), NO),
    ("N2", "two learners", lambda r: r.curves["denoising"].pop(("odl",)), OPEN),
    ("N3", "all equal", all_noise(40.0, 40.0, 40.0), YES),
    ("N3", "EZDL worse", all_noise(39.99, 40.0, 40.0), NO),
    ("N3", "RLS-DLA worse", all_noise(40.0, 40.0, 39.99), NO),
    ("N3", "2.5 not measured", without_level(2.5), OPEN),
]


@by_cases(CASES)
def test_verdict_follows_from_the_numbers(tmp_path, identifier, change, expected):
    assert verdict_after(tmp_path, identifier, change) == expected
