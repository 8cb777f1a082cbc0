"""Numbers of synthetic results for which claims hold: curves, and statistics of atoms."""

import numpy as np

EMPTY = np.nan
N_ATOMS = 40


def atom_rows(statistics, seed):
    """Yield the cells of the atoms of a dictionary."""
    shift = statistics["seed_effect"] * (seed - 1)
    phases = np.repeat(
        np.arange(8), np.round(np.multiply(statistics["phases"], N_ATOMS)).astype(int)
    )
    for i in range(len(phases)):
        share = (i + 0.5) / len(phases)
        checkerboard = share < statistics["checkerboards"]
        diagonal = share > statistics["paraxial"]
        low, low_filter = (share < statistics[name] for name in ("low", "low_filters"))
        yield (
            16,
            *(statistics[name] * (1 + shift) for name in ("f", "sigma_x", "sigma_y")),
            (phases[i] + 0.5) * np.pi / 16,
            statistics["r2"],
            "checkerboard" if checkerboard else "",
            statistics["centroid"] * (1 + shift),
            0.05 if low else 0.2,
            0.05 if low_filter else 0.2,
            0.5 if diagonal else 0.0,
            statistics["rank_ratio"],
        )


def iterations_curves():
    """SSIM over iterations, by sigma_h and sigma_i."""
    quality = {(0.75, 0.75): 0.995, (0.75, 0.85): 0.97, (0.85, 0.75): 0.996, (0.85, 0.85): 0.98}
    return {
        pair: {1: end - 0.2, 10: end - 0.02, 100: end, 200: end + 0.001}
        for pair, end in quality.items()
    }


def sparseness_curves(values, step):
    """Curves of which the last is best at large and worst at small sparseness."""
    return {
        (value,): {
            0.5: 0.998 - 0.0005 * i,
            0.75: 0.995 + 0.0001 * i,
            0.8: 0.99,
            0.85: 0.97 + 0.006 * i,
            0.925: 0.85 + step * i,
            0.95: 0.82 + step * i,
            0.975: 0.8 + step * i,
            0.99: 0.75 + step * i,
        }
        for i, value in enumerate(values)
    }


def history_curves():
    """SSIM over epochs, by learner and step size."""
    odl = {1: 0.7, 5: 0.75, 10: 0.76, 20: 0.77, 50: 0.775, 100: 0.78, 1000: 0.785}
    return {
        ("odl", EMPTY): odl,
        ("rls-dla", EMPTY): {
            **{1: 0.71, 5: 0.74, 10: 0.75, 20: 0.76, 50: 0.765, 100: 0.77, 1000: 0.785}
        },
        ("ezdl", 1): odl | {1: 0.65, 5: 0.6},
        ("ezdl", 0.25): odl | {1: 0.68},
        ("ezdl", 0.0625): {epoch: ssim + 0.001 for epoch, ssim in odl.items()} | {1000: 0.784},
    }


def denoising_curves(rules):
    """PSNR over noise levels, by rules and learner."""
    return {
        (rules, name): {
            sigma: psnr + shift
            for sigma, psnr in ((2.5, 43.0), (5, 40.0), (7.5, 38.0), (10, 36.0), (50, 28.0))
        }
        for name, shift in (("ezdl", 0.1), ("odl", 0.0), ("rls-dla", 0.05))
    }


def restoration_curves():
    """PSNR over settings, by task and learner."""
    settings = {"super-resolution": (2, 3), "deblurring": (1.6, 2.5), "inpainting": (50, 80)}
    return {
        (task, name): {setting: 30.0 + shift for setting in values}
        for task, values in settings.items()
        for name, shift in (("ezdl", 0.0), ("odl", 0.05), ("rls-dla", -0.5))
    }


def atoms_of_dictionaries():
    """Statistics of the atoms of a dictionary, by its parameters."""
    widths = {0.7: (1.0, 1.0), 0.75: (1.2, 3.0), 0.8: (1.5, 4.0), 0.9: (2.0, 5.0), 0.99: (9.0, 6.0)}
    frequencies = {0.7: 0.2, 0.75: 0.18, 0.8: 0.15, 0.9: 0.1, 0.99: 0.05}
    fitted = {
        (at, "ordinary", EMPTY, 0): _atoms(f=frequencies[at], sigma_x=x, sigma_y=y)
        for at, (x, y) in widths.items()
    }
    fitted[0.75, "ordinary", EMPTY, 0]["phases"] = [0.05, 0.05, 0.1, 0.1, 0.1, 0.1, 0.1, 0.4]
    fitted[0.85, "ordinary", EMPTY, 0] = _atoms(f=0.12, sigma_x=1.8, sigma_y=4.5)
    return fitted | {
        (0.85, "ordinary", EMPTY, 1): _atoms(low=0.4),
        (0.85, "topographic", EMPTY, 0): _atoms(),
        (0.85, "topographic", EMPTY, 1): _atoms(low=0.4),
        (0.85, "ordinary", 1, 0): _atoms(checkerboards=0.2),
        (0.85, "topographic", 1, 0): _atoms(checkerboards=0.1, centroid=0.1),
    }


def _atoms(**changed):
    return {
        **{"f": 0.12, "sigma_x": 1.8, "sigma_y": 4.5, "r2": 0.9, "centroid": 0.2},
        "phases": [0.3, 0.05, 0.05, 0.1, 0.05, 0.05, 0.1, 0.3],
        **{"low": 0.1, "low_filters": 0.1, "paraxial": 1.0, "checkerboards": 0.0},
        **{"rank_ratio": 1e-8, "seed_effect": 0.0},
    } | changed
