"""The dictionaries that the pipeline trains, and the tables that figures and claims need.

Paths have ``{profile}`` in them, for which Snakemake substitutes the name of the profile.
"""

import re
from dataclasses import dataclass, replace

from ..figures import FIGURES, stem

RESTORED = ("super-resolution", "deblurring", "inpainting")  # figures of tasks beyond the paper
FIGURE_SECTIONS = {
    "projections": ("sparseness", "auxiliary", "flowchart", "evaluations", "speedups"),
    "dictionaries": (
        *("gabor", "phases", "whitened-topographic", "whitened-rank"),
        *("rank1-ordinary", "rank1-topographic"),
    ),
    "images": (
        *("iterations", "ezdl", "odl", "rls-dla", "envelopes", "history", "denoising"),
        *RESTORED,
    ),
}
PURPOSES = {"envelopes": "reproduction", "phases": "gabor"} | dict.fromkeys(RESTORED, "restoration")
"""Purposes of the dictionaries that figures show, where they have other names."""
LEARNERS = ("ezdl", "odl", "rls-dla")
SMALL, LARGE, WHITENED = "8x8.npy", "16x16.npy", "16x16_whitened.npz"
SINGLE_TABLES = ("evaluations", "speedups", "properties", "gradient", "epochs", "filtering")
FITTED = ("gabor", "topography", "atoms", "resemblance")  # purposes that need Gabor functions
COMPARED_WITH_ITS_START = "gabor-0.85"  # the dictionary whose snapshots are compared with it
MAX_ITERATIONS = 100  # Landweber iterations in the paper; only Fig. 10a has more


@dataclass(frozen=True)
class TrainedDictionary:
    """A dictionary, which is trained once per seed; listed once for each of its purposes."""

    name: str  # its files are called NAME_SEED
    samples: str  # file in data/PROFILE/patches
    learner: str  # subcommand of `ezdl train`
    options: str  # of that subcommand
    seeds: tuple[int, ...]
    purpose: str  # folder of its tables, or "atoms": Gabor functions are fitted for a claim


class Plan:
    """What the pipeline trains and measures, for a configuration that satisfies the schema."""

    def __init__(self, config):
        training, reproduction = config["training"], config["reproduction"]
        self.seed = int(training["seed"])  # of dictionaries that a figure shows
        self.grid_side = int(training["grid_side"])
        self.iterations = _integers(reproduction["iterations"])  # of Fig. 10a
        self.n_iterations = min(MAX_ITERATIONS, max(self.iterations))  # of all other figures
        last = int(training["epochs"])
        history = (epoch for epoch in _integers(reproduction["history"]) if epoch < last)
        self.epochs = sorted({*history, last})  # of Fig. 13
        self.snapshot_epochs = sorted({0, 1, *self.epochs})
        forgetting = _forgetting(training)
        self.dictionaries = (
            *_reproduction(reproduction, forgetting),
            *_history(reproduction, forgetting),
            *_gabor(config["gabor"]),
            *_structured(self.grid_side, _seeds(self.seed, config["gabor"]["seeds"])),
            *_noisy(config["code_noise"], config["gabor"]["seeds"]),
            *_sparsest(reproduction, forgetting, config["denoising"], "denoising"),
            *_sparsest(reproduction, forgetting, config["restoration"], "restoration"),
        )
        restoration = config["restoration"]
        self.factors = _integers(restoration["factors"])  # of super-resolution
        self.n_degradations = sum(len(restoration[key]) for key in ("factors", "blurs", "missing"))
        rules = config["denoising"]["rules"]
        self.denoising_rules = ("authors", "ezdl") if rules == "both" else (rules,)
        self.by_name = {one.name: one for one in self.dictionaries}

    def names(self, *purposes):
        """Return the names of the dictionaries with one of these purposes."""
        return [one.name for one in self.dictionaries if one.purpose in purposes]

    def tables(self, purpose, kind=None, learners=LEARNERS):
        """Return the tables, of another kind if given, of the dictionaries with a purpose."""
        return [
            f"results/{{profile}}/tables/{kind or purpose}/{one.name}_{seed}.csv"
            for one in self.dictionaries
            if one.purpose == purpose and one.learner in learners
            for seed in one.seeds
        ]

    def denoising_tables(self):
        """Return the tables of Fig. 14, for each set of rules."""
        return [
            table.replace("/denoising/", f"/denoising/{rules}-")
            for rules in self.denoising_rules
            for table in self.tables("denoising")
        ]

    def dictionary_files(self):
        """Return the files of all dictionaries."""
        files = (
            f"results/{{profile}}/dictionaries/{one.name}_{seed}.npz"
            for one in self.dictionaries
            for seed in one.seeds
        )
        return list(dict.fromkeys(files))

    def figure_inputs(self, name):
        """Return the files that a figure is drawn from."""
        if FIGURES[name].needs_dictionary:
            return [f"results/{{profile}}/dictionaries/{name}_{self.seed}.npz"]
        if name in LEARNERS:
            return self.tables("reproduction", learners=(name,))
        if name == "denoising":
            return self.denoising_tables()
        purpose = PURPOSES.get(name, name)
        single = [f"results/{{profile}}/tables/{name}.csv"] if FIGURES[name].needs_table else []
        return self.tables(purpose) or single

    def drawings(self, names):
        """Return the arguments of `ezdl figure` for several figures: names, inputs and outputs."""
        outputs = dict(zip(names, figure_files("pdf", names=names), strict=True))
        return [word for name in names for word in (name, *self.figure_inputs(name), outputs[name])]

    def claim_tables(self):
        """Return the tables of measurements that claims are judged by."""
        kinds = ("reproduction", "iterations", "history", "full_gradient", "activity", "topography")
        kinds += ("resemblance", "restoration")
        tables = [
            *(f"results/{{profile}}/tables/{name}.csv" for name in SINGLE_TABLES),
            *(table for kind in kinds for table in self.tables(kind)),
            *(table for purpose in FITTED for table in self.tables(purpose, "gabor")),
            *self.denoising_tables(),
        ]
        return list(dict.fromkeys(tables))


def any_of(names):
    """Return a regular expression that matches these names."""
    return "|".join(map(re.escape, names))


def crop_option(config):
    """Return the option for the part of images that is used; empty for whole images."""
    return f" --crop {int(config['crop'])}" if config["crop"] else ""


def figure_files(*formats, names=FIGURES):
    """Return the files of figures in these formats, by default of all figures."""
    stems = [f"results/{{profile}}/figures/{stem(name)}" for name in names]
    return [f"{file}.{kind}" for file in stems for kind in formats]


def snapshots(epochs):
    """Return the snapshots of a dictionary after these epochs."""
    folder = "results/{profile}/dictionaries"
    return [f"{folder}/{{dictionary}}_{{seed}}.epoch-{epoch:04d}.npz" for epoch in epochs]


def _integers(values):
    """Return distinct integers: 2.0 is one to a JSON schema, but not to `ezdl`."""
    return tuple(dict.fromkeys(map(int, values)))


def _seeds(first, others):
    """Return seeds without duplicates, `first` before the others."""
    return tuple(dict.fromkeys((first, *_integers(others))))


def _forgetting(training):
    """Return the option of RLS-DLA for the length of its schedule; empty for that of the run."""
    epochs = int(training["forgetting_epochs"])
    samples = epochs * int(training["samples_per_epoch"])
    return f" --forgetting-samples {samples}" if epochs else ""


def _reproduction(config, forgetting):
    """Yield the dictionaries of Figs. 10 to 12, and one with the full gradient."""
    seeds, peer_seeds = _integers(config["seeds"]), _integers(config["peer_seeds"])
    options = [
        *(("ezdl", "--sparseness", f"{value:g}", "", seeds) for value in config["sparseness"]),
        *(("odl", "--lambda", f"{value:g}", "", peer_seeds) for value in config["lambdas"]),
        *(
            ("rls-dla", "--nonzeros", value, forgetting, peer_seeds)
            for value in _integers(config["nonzeros"])
        ),
    ]
    for learner, option, value, more, seeds in dict.fromkeys(options):
        one = (f"{learner}-{value}", SMALL, learner, f"{option} {value}{more}", seeds)
        yield TrainedDictionary(*one, "reproduction")
        if one[0] in ("ezdl-0.75", "ezdl-0.85"):
            yield TrainedDictionary(*one, "iterations")
        if one[0] == "ezdl-0.99":
            full = f"{one[3]} --gradient full"
            name, purpose = "ezdl-0.99-full-gradient", "full_gradient"
            yield TrainedDictionary(name, SMALL, learner, full, seeds, purpose)


def _history(config, forgetting):
    """Yield the dictionaries of Fig. 13, with the paper's parameters."""
    seeds = _integers(config["peer_seeds"])
    for name, learner, options in (
        ("ezdl-0.99", "ezdl", "--sparseness 0.99"),
        ("ezdl-0.99-step-0.25", "ezdl", "--sparseness 0.99 --step-size 0.25"),
        ("ezdl-0.99-step-0.0625", "ezdl", "--sparseness 0.99 --step-size 0.0625"),
        ("odl-2", "odl", "--lambda 2"),
        ("rls-dla-4", "rls-dla", f"--nonzeros 4{forgetting}"),
    ):
        yield TrainedDictionary(name, SMALL, learner, options, seeds, "history")


def _gabor(config):
    """Yield the dictionaries of Figs. 6 and 7; for most the activity of atoms is recorded."""
    for value in dict.fromkeys(f"{value:g}" for value in config["sparseness"]):
        name, options, seeds = f"gabor-{value}", f"--sparseness {value}", _integers(config["seeds"])
        yield TrainedDictionary(name, LARGE, "ezdl", options, seeds, "gabor")
        if name != COMPARED_WITH_ITS_START:
            yield TrainedDictionary(name, LARGE, "ezdl", options, seeds, "activity")


def _noisy(config, seeds):
    """Yield the dictionaries that are trained with annealed noise on the codes."""
    noise = f"--noise {config['initial']:g} --noise-decay {config['decay']:g}"
    for value in dict.fromkeys(f"{value:g}" for value in config["sparseness"]):
        options = f"--sparseness {value} {noise}"
        yield TrainedDictionary(
            f"noisy-{value}", LARGE, "ezdl", options, _integers(seeds), "activity"
        )


def _structured(side, seeds):
    """Yield the dictionaries of Figs. 8 and 9, and those that claims compare them with."""
    plain, grid = "--sparseness 0.85", f"--grid {side}x{side}"
    topographic = f"{plain} --inference topographic {grid}"
    rank = f"{plain} --inference rank --code-rank 1 {grid}"
    for name, samples, options, purpose in (
        ("whitened-topographic", WHITENED, topographic, "topography"),
        ("whitened-rank", WHITENED, rank, "topography"),
        ("rank1-topographic", LARGE, f"{topographic} --atom-rank 1", "topography"),
        ("topographic", LARGE, topographic, "topography"),
        ("rank1-ordinary", LARGE, f"{plain} --atom-rank 1", "atoms"),
        ("whitened", WHITENED, plain, "atoms"),
        (COMPARED_WITH_ITS_START, LARGE, plain, "resemblance"),
    ):
        yield TrainedDictionary(name, samples, "ezdl", options, seeds, purpose)


def _sparsest(reproduction, forgetting, config, purpose):
    """Yield the dictionaries of Figs. 14 to 17: those with the sparsest codes of each learner."""
    sparsest = {
        f"ezdl-{max(reproduction['sparseness']):g}",
        f"odl-{max(reproduction['lambdas']):g}",
        f"rls-dla-{min(_integers(reproduction['nonzeros']))}",
    }
    for one in _reproduction(reproduction, forgetting):
        if one.name in sparsest and one.purpose == "reproduction":
            yield replace(one, seeds=_integers(config["seeds"]), purpose=purpose)
