# The whole experiment. Each rule is one `ezdl` call; values of the configuration go through
# `params`, so that only what depends on a changed value runs again. The log and the times of a
# file stand under its name in `logs` and `benchmarks`.
import hashlib
import json
import os
import re
import shlex
import shutil
import sys
from pathlib import Path

from snakemake.exceptions import WorkflowError
from snakemake.utils import min_version, validate

from ezdl_cli.figures import FIGURES, stem
from ezdl_cli.images.sources import files_below

min_version("9.0")

# The `ezdl` beside the running Python, also where its environment is not activated.
shell.prefix(f"PATH={shlex.quote(str(Path(sys.executable).parent))}:$PATH; ")


configfile: "config/quick.yaml"


validate(config, "config/schema.yaml")
PATCHES = config["patches"]
PROJECTIONS = config["projections"]
TRAINING = config["training"]
REPRODUCTION = config["reproduction"]
GABOR = config["gabor"]
DENOISING = config["denoising"]


def distinct(values):
    """Whole numbers, each once: JSON schemas take 2.0 for one, `ezdl` does not."""
    return list(dict.fromkeys(map(int, values)))


def listed(values):
    """Values as the options of `ezdl` want them."""
    return ",".join(map(str, values))


EPOCHS = [
    epoch for epoch in distinct(REPRODUCTION["history"]) if epoch <= TRAINING["epochs"]
]
EPOCHS = sorted({*EPOCHS, int(TRAINING["epochs"])})
SNAPSHOT_EPOCHS = sorted({0, 1, *EPOCHS})
ITERATIONS = distinct(REPRODUCTION["iterations"])
SEED = int(TRAINING["seed"])
SEEDS = {
    "ezdl": distinct(REPRODUCTION["seeds"]),
    "odl": distinct(REPRODUCTION["peer_seeds"]),
    "rls-dla": distinct(REPRODUCTION["peer_seeds"]),
}
GABOR_SEEDS = distinct(GABOR["seeds"])
SIDE = int(TRAINING["grid_side"])
GRID = f"--grid {SIDE}x{SIDE}"

# Dictionaries: samples, learner and its options, by name. Those that reproduce images ...
LEARNED = {
    "ezdl": {
        f"ezdl-{value:g}": ("8x8.npy", "ezdl", f"--sparseness {value:g}")
        for value in REPRODUCTION["sparseness"]
    },
    "odl": {
        f"odl-{value:g}": ("8x8.npy", "odl", f"--lambda {value:g}")
        for value in REPRODUCTION["lambdas"]
    },
    "rls-dla": {
        f"rls-dla-{value}": ("8x8.npy", "rls-dla", f"--nonzeros {value}")
        for value in distinct(REPRODUCTION["nonzeros"])
    },
}
# ... those of Fig. 13, whose learning is followed (the paper's parameters) ...
FOLLOWED = {
    "ezdl-0.99": ("8x8.npy", "ezdl", "--sparseness 0.99"),
    "ezdl-0.99-step-0.25": ("8x8.npy", "ezdl", "--sparseness 0.99 --step-size 0.25"),
    "ezdl-0.99-step-0.0625": (
        "8x8.npy",
        "ezdl",
        "--sparseness 0.99 --step-size 0.0625",
    ),
    "odl-2": ("8x8.npy", "odl", "--lambda 2"),
    "rls-dla-4": ("8x8.npy", "rls-dla", "--nonzeros 4"),
}
# ... those of Fig. 6 and 7, and one of them whose first epoch is compared with its last ...
FITTED = {
    f"gabor-{value:g}": ("16x16.npy", "ezdl", f"--sparseness {value:g}")
    for value in GABOR["sparseness"]
}
COMPARED = {"gabor-0.85": ("16x16.npy", "ezdl", "--sparseness 0.85")}
# ... those on a grid, and others that are shown or fitted for a claim.
TOPOGRAPHIC = f"--sparseness 0.85 --inference topographic {GRID}"
ON_GRID = {
    "whitened-topographic": ("16x16_whitened.npz", "ezdl", TOPOGRAPHIC),
    "whitened-rank": (
        "16x16_whitened.npz",
        "ezdl",
        f"--sparseness 0.85 --inference rank --code-rank 1 {GRID}",
    ),
    "rank1-topographic": ("16x16.npy", "ezdl", f"{TOPOGRAPHIC} --atom-rank 1"),
    "topographic": ("16x16.npy", "ezdl", TOPOGRAPHIC),
}
FREE = {
    "rank1-ordinary": ("16x16.npy", "ezdl", "--sparseness 0.85 --atom-rank 1"),
    "whitened": ("16x16_whitened.npz", "ezdl", "--sparseness 0.85"),
}
SNAPSHOTS = {**FOLLOWED, **COMPARED}
DICTIONARIES = {
    **{name: how for names in LEARNED.values() for name, how in names.items()},
    **SNAPSHOTS,
    **FITTED,
    **ON_GRID,
    **FREE,
}
# Dictionaries that denoise: those of the sparsest codes (paper: 0.99, 2 and 4).
DENOISE = [
    f"ezdl-{max(REPRODUCTION['sparseness']):g}",
    f"odl-{max(REPRODUCTION['lambdas']):g}",
    f"rls-dla-{min(distinct(REPRODUCTION['nonzeros']))}",
]

# Threads of rules that have few steps; there are fewer of them if there are fewer cores. Those of
# rules that have many steps have one, so that no core waits while another step begins or ends.
MANY = 8
# Times are only worth something while nothing else runs: such a rule takes all cores.
ALONE = 1000


def any_of(names):
    """A pattern that fits these names."""
    return "|".join(map(re.escape, names))


def tables(kind, names, seeds):
    """The tables of dictionaries."""
    return [
        f"results/{{profile}}/tables/{kind}/{name}_{seed}.csv"
        for name in names
        for seed in seeds
    ]


def tables_of_learner(learner):
    """The tables of all dictionaries of a learner."""
    return tables("reproduction", LEARNED[learner], SEEDS[learner])


def tables_of_history():
    """The tables of the dictionaries on their way."""
    return [
        f"results/{{profile}}/tables/history/{name}_{seed}.epoch-{epoch:04d}.csv"
        for name in FOLLOWED
        for seed in SEEDS["odl"]
        for epoch in EPOCHS
    ]


def drawn_from(wildcards):
    """What a figure is drawn from."""
    name = wildcards.figure
    if FIGURES[name].needs_dictionary:
        files = [f"results/{{profile}}/dictionaries/{name}_{SEED}.npz"]
    elif name in LEARNED:
        files = tables_of_learner(name)
    elif name == "envelopes":
        files = [file for learner in LEARNED for file in tables_of_learner(learner)]
    elif name == "iterations":
        both = [one for one in ("ezdl-0.75", "ezdl-0.85") if one in LEARNED["ezdl"]]
        files = tables("iterations", both, SEEDS["ezdl"])
    elif name == "history":
        files = tables_of_history()
    elif name in ("gabor", "phases"):
        files = tables("gabor", FITTED, GABOR_SEEDS)
    elif name == "denoising":
        files = tables("denoising", DENOISE, distinct(DENOISING["seeds"]))
    else:
        files = (
            [f"results/{{profile}}/tables/{name}.csv"]
            if FIGURES[name].needs_table
            else []
        )
    return [file.format(profile=wildcards.profile) for file in files]


def state_of_photographs(wildcards):
    """A checksum of what a folder of photographs holds, so that a change in it is noticed.

    They are no input files: Snakemake does not take every name that a file can have.
    """
    digest = hashlib.sha256()
    if config["images"] != "builtin" and Path(config["images"]).is_dir():
        for path in files_below(config["images"]):
            status = path.stat()
            state = f" {status.st_size} {status.st_mtime_ns}\0"
            digest.update(os.fsencode(path) + state.encode())
    return digest.hexdigest()


def samples_of(wildcards):
    """What a dictionary is learned from."""
    return f"data/{wildcards.profile}/patches/{DICTIONARIES[wildcards.dictionary][0]}"


FIGURE_FILES = [
    f"results/{{profile}}/figures/{stem(name)}.{kind}"
    for name in FIGURES
    for kind in ("pdf", "png", "csv")
]
# What claims are judged by beside the tables of the figures.
EVIDENCE = [
    *tables("gabor", FITTED, GABOR_SEEDS),
    *tables("gabor", [*ON_GRID, *FREE, *COMPARED], [SEED]),
    *tables("topography", ON_GRID, [SEED]),
    *tables("resemblance", COMPARED, [SEED]),
    "results/{profile}/tables/epochs.csv",
]


wildcard_constraints:
    profile=r"[A-Za-z0-9_-]+",
    figure=any_of(FIGURES),
    dictionary=any_of(DICTIONARIES),
    seed=r"\d+",
    epoch=r"\d+",
    size=r"\d+",


container: "docker://python:3.11"


localrules:
    all,


onstart:
    # Without Slurm its executor would wait forever.
    if workflow.executor_plugin.name == "slurm" and not shutil.which("sbatch"):
        raise WorkflowError(
            "There is no Slurm here (no sbatch): start from a login node of the cluster, or "
            "leave the profile of Slurm out."
        )


rule all:
    input:
        expand("results/{profile}/report.html", profile=config["profile"]),
        expand(
            "results/{profile}/claims.{kind}",
            profile=config["profile"],
            kind=["md", "json", "html"],
        ),
        expand(FIGURE_FILES, profile=config["profile"]),
    message:
        "All done: see the report in results/{config[profile]}/report.html"


rule images:
    output:
        manifest="data/{profile}/images/manifest.json",
        train=directory("data/{profile}/images/train"),
        reproduce=directory("data/{profile}/images/reproduce"),
        denoise=directory("data/{profile}/images/denoise"),
    log:
        "results/{profile}/logs/images.log",
    benchmark:
        "results/{profile}/benchmarks/images.tsv"
    threads: MANY
    resources:
        mem_mb=2000,
        runtime=60,
    params:
        # A function: braces in a name are no wildcards.
        source=lambda wildcards: (
            "builtin"
            if config["images"] == "builtin"
            else f"import -- {shlex.quote(config['images'])}"
        ),
        folder=subpath(output.manifest, parent=True),
        state=state_of_photographs,
    message:
        "Getting photographs"
    shell:
        "ezdl images {params.source} {params.folder} 2> {log}"


rule patches:
    input:
        images="data/{profile}/images/train",
        manifest="data/{profile}/images/manifest.json",
    output:
        patches="data/{profile}/patches/{size}x{size}.npy",
        facts="data/{profile}/patches/{size}x{size}.json",
    log:
        "results/{profile}/logs/patches/{size}x{size}.log",
    benchmark:
        "results/{profile}/benchmarks/patches/{size}x{size}.tsv"
    threads: MANY
    resources:
        mem_mb=1000,
        runtime=30,
    params:
        per_image=PATCHES["per_image"],
        seed=PATCHES["seed"],
    message:
        "Drawing patches of {wildcards.size} x {wildcards.size} pixels"
    shell:
        "ezdl extract {input.images} {output.patches} --patch-size {wildcards.size}"
        " --per-image {params.per_image} --seed {params.seed} 2> {log}"


rule whitened:
    input:
        patches="data/{profile}/patches/{size}x{size}.npy",
        facts="data/{profile}/patches/{size}x{size}.json",
    output:
        "data/{profile}/patches/{size}x{size}_whitened.npz",
    log:
        "results/{profile}/logs/patches/{size}x{size}_whitened.log",
    benchmark:
        "results/{profile}/benchmarks/patches/{size}x{size}_whitened.tsv"
    threads: MANY
    resources:
        mem_mb=1000,
        runtime=30,
    params:
        components=PATCHES["components"],
    message:
        "Whitening patches of {wildcards.size} x {wildcards.size} pixels"
    shell:
        "ezdl whiten {input.patches} {output} --components {params.components} 2> {log}"


rule sparseness_table:
    output:
        "results/{profile}/tables/sparseness.csv",
    log:
        "results/{profile}/logs/tables/sparseness.log",
    benchmark:
        "results/{profile}/benchmarks/tables/sparseness.tsv"
    threads: 1
    resources:
        mem_mb=500,
        runtime=5,
    message:
        "Measuring sparseness in two dimensions"
    shell:
        "ezdl projections sparseness {output} 2> {log}"


rule auxiliary_table:
    output:
        "results/{profile}/tables/auxiliary.csv",
    log:
        "results/{profile}/logs/tables/auxiliary.log",
    benchmark:
        "results/{profile}/benchmarks/tables/auxiliary.tsv"
    threads: 1
    resources:
        mem_mb=500,
        runtime=5,
    params:
        seed=PROJECTIONS["seed"],
    message:
        "Evaluating the auxiliary function"
    shell:
        "ezdl projections auxiliary {output} --seed {params.seed} 2> {log}"


rule evaluations_table:
    output:
        "results/{profile}/tables/evaluations.csv",
    log:
        "results/{profile}/logs/tables/evaluations.log",
    benchmark:
        "results/{profile}/benchmarks/tables/evaluations.tsv"
    threads: 1
    resources:
        # Two vectors of the largest n, twice whose entries all n have in the paper; 20
        # nanoseconds an entry were measured, and this is three times as long.
        mem_mb=500 + (16 << PROJECTIONS["last_exponent"] >> 20),
        runtime=30 + PROJECTIONS["max_entries"] // (5 * 10**8),
    params:
        first=PROJECTIONS["first_exponent"],
        last=PROJECTIONS["last_exponent"],
        sparseness=PROJECTIONS["sparseness"],
        vectors=PROJECTIONS["vectors"],
        max_entries=PROJECTIONS["max_entries"],
        seed=PROJECTIONS["seed"],
    message:
        "Counting evaluations of four solvers"
    shell:
        "ezdl projections evaluations {output} --exponents {params.first}:{params.last}"
        " --sparseness {params.sparseness} --vectors {params.vectors}"
        " --max-entries {params.max_entries} --seed {params.seed} 2> {log}"


rule speedups_table:
    output:
        "results/{profile}/tables/speedups.csv",
    log:
        "results/{profile}/logs/tables/speedups.log",
    benchmark:
        "results/{profile}/benchmarks/tables/speedups.tsv"
    threads: ALONE
    resources:
        # Three vectors of the largest n.
        mem_mb=500 + (24 << PROJECTIONS["last_exponent"] >> 20),
        runtime=30 + (1 << max(0, PROJECTIONS["last_exponent"] - 23)),
    params:
        first=PROJECTIONS["first_exponent"],
        last=PROJECTIONS["last_exponent"],
        sparseness=PROJECTIONS["sparseness"],
        initial=PROJECTIONS["initial_sparseness"],
        repeats=PROJECTIONS["repeats"],
        seed=PROJECTIONS["seed"],
    message:
        "Timing projections"
    shell:
        "ezdl projections speedups {output} --exponents {params.first}:{params.last}"
        " --sparseness {params.sparseness} --initial-sparseness {params.initial}"
        " --repeats {params.repeats} --seed {params.seed} 2> {log}"


rule epochs_table:
    input:
        "data/{profile}/patches/8x8.npy",
        "data/{profile}/patches/16x16.npy",
    output:
        "results/{profile}/tables/epochs.csv",
    log:
        "results/{profile}/logs/tables/epochs.log",
    benchmark:
        "results/{profile}/benchmarks/tables/epochs.tsv"
    threads: ALONE
    resources:
        mem_mb=1000,
        runtime=30,
    params:
        atoms=SIDE**2,
        samples=TRAINING["samples_per_epoch"],
    message:
        "Timing an epoch of each learner"
    shell:
        "ezdl bench epochs {input} {output} --atoms {params.atoms}"
        " --samples-per-epoch {params.samples} 2> {log}"


rule train:
    input:
        samples_of,
    output:
        dictionary="results/{profile}/dictionaries/{dictionary}_{seed}.npz",
    log:
        "results/{profile}/logs/dictionaries/{dictionary}_{seed}.log",
    benchmark:
        "results/{profile}/benchmarks/dictionaries/{dictionary}_{seed}.tsv"
    threads: 1
    resources:
        mem_mb=1000,
        # Half a millisecond a sample.
        runtime=30 + TRAINING["epochs"] * TRAINING["samples_per_epoch"] // 120_000,
    params:
        learner=lambda wildcards: DICTIONARIES[wildcards.dictionary][1],
        learning=lambda wildcards: DICTIONARIES[wildcards.dictionary][2],
        atoms=SIDE**2,
        epochs=TRAINING["epochs"],
        samples=TRAINING["samples_per_epoch"],
        keep=f"--checkpoint-every {TRAINING['checkpoint_every']} --resume --discard-other",
    message:
        "Learning {wildcards.dictionary}, seed {wildcards.seed}"
    shell:
        "ezdl train {params.learner} {input} {output.dictionary} {params.learning} --atoms {params.atoms}"
        " --epochs {params.epochs} --samples-per-epoch {params.samples}"
        " --seed {wildcards.seed} {params.keep} 2> {log}"


# Those that are kept on their way begin anew when they are interrupted: Snakemake removes
# snapshots then, and a checkpoint leads to none of those that were before it.
use rule train as train_with_snapshots with:
    output:
        dictionary="results/{profile}/dictionaries/{dictionary}_{seed}.npz",
        snapshots=[
            f"results/{{profile}}/dictionaries/{{dictionary}}_{{seed}}.epoch-{epoch:04d}.npz"
            for epoch in SNAPSHOT_EPOCHS
        ],
    wildcard_constraints:
        dictionary=any_of(SNAPSHOTS),
    params:
        keep=f"--snapshot-epochs {listed(SNAPSHOT_EPOCHS)}",


ruleorder: train_with_snapshots > train


rule reproduction_table:
    input:
        dictionary="results/{profile}/dictionaries/{dictionary}_{seed}.npz",
        images="data/{profile}/images/reproduce",
    output:
        "results/{profile}/tables/reproduction/{dictionary}_{seed}.csv",
    log:
        "results/{profile}/logs/tables/reproduction/{dictionary}_{seed}.log",
    benchmark:
        "results/{profile}/benchmarks/tables/reproduction/{dictionary}_{seed}.tsv"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=240,
    params:
        sparseness=listed(REPRODUCTION["inference"]),
        # Where 200 are looked at for Fig. 10a, the paper's 100 are made elsewhere.
        iterations=min(100, max(ITERATIONS)),
    message:
        "Reproducing images with {wildcards.dictionary}, seed {wildcards.seed}"
    shell:
        "ezdl evaluate {input.dictionary} {input.images} {output}"
        " --sparseness {params.sparseness} --iterations {params.iterations} 2> {log}"


use rule reproduction_table as iterations_table with:
    output:
        "results/{profile}/tables/iterations/{dictionary}_{seed}.csv",
    log:
        "results/{profile}/logs/tables/iterations/{dictionary}_{seed}.log",
    benchmark:
        "results/{profile}/benchmarks/tables/iterations/{dictionary}_{seed}.tsv"
    params:
        sparseness="0.75,0.85",
        iterations=listed(ITERATIONS),
    message:
        "Reproducing images over iterations with {wildcards.dictionary}, seed {wildcards.seed}"


use rule reproduction_table as history_table with:
    input:
        dictionary="results/{profile}/dictionaries/{dictionary}_{seed}.epoch-{epoch}.npz",
        images="data/{profile}/images/reproduce",
    output:
        "results/{profile}/tables/history/{dictionary}_{seed}.epoch-{epoch}.csv",
    log:
        "results/{profile}/logs/tables/history/{dictionary}_{seed}.epoch-{epoch}.log",
    benchmark:
        "results/{profile}/benchmarks/tables/history/{dictionary}_{seed}.epoch-{epoch}.tsv"
    params:
        sparseness="0.99",
        iterations=min(100, max(ITERATIONS)),
    message:
        "Reproducing images with {wildcards.dictionary}, seed {wildcards.seed}, epoch {wildcards.epoch}"


rule gabor_table:
    input:
        "results/{profile}/dictionaries/{dictionary}_{seed}.npz",
    output:
        table="results/{profile}/tables/gabor/{dictionary}_{seed}.csv",
        picture="results/{profile}/pictures/gabor/{dictionary}_{seed}.png",
    log:
        "results/{profile}/logs/tables/gabor/{dictionary}_{seed}.log",
    benchmark:
        "results/{profile}/benchmarks/tables/gabor/{dictionary}_{seed}.tsv"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=30,
    params:
        layout="",
    message:
        "Fitting Gabor functions to {wildcards.dictionary}, seed {wildcards.seed}"
    shell:
        "ezdl gabor {input} {output.table} --picture {output.picture}{params.layout} 2> {log}"


use rule gabor_table as gabor_table_of_grid with:
    output:
        table="results/{profile}/tables/gabor/{dictionary}_{seed}.csv",
        picture="results/{profile}/pictures/gabor/{dictionary}_{seed}.png",
        layout="results/{profile}/tables/topography/{dictionary}_{seed}.csv",
    wildcard_constraints:
        dictionary=any_of(ON_GRID),
    params:
        layout=lambda wildcards, output: f" --topography {output.layout} --seed {SEED}",


ruleorder: gabor_table_of_grid > gabor_table


rule resemblance_table:
    input:
        final="results/{profile}/dictionaries/{dictionary}_{seed}.npz",
        early=[
            f"results/{{profile}}/dictionaries/{{dictionary}}_{{seed}}.epoch-{epoch:04d}.npz"
            for epoch in (0, 1)
        ],
    output:
        "results/{profile}/tables/resemblance/{dictionary}_{seed}.csv",
    log:
        "results/{profile}/logs/tables/resemblance/{dictionary}_{seed}.log",
    benchmark:
        "results/{profile}/benchmarks/tables/resemblance/{dictionary}_{seed}.tsv"
    threads: 1
    resources:
        mem_mb=500,
        runtime=5,
    params:
        seed=SEED,
    message:
        "Comparing the first epoch of {wildcards.dictionary} with the last"
    shell:
        "ezdl compare {input.final} {input.early} {output} --seed {params.seed} 2> {log}"


rule denoising_table:
    input:
        dictionary="results/{profile}/dictionaries/{dictionary}_{seed}.npz",
        images="data/{profile}/images/denoise",
    output:
        table="results/{profile}/tables/denoising/{dictionary}_{seed}.csv",
        picture="results/{profile}/pictures/denoising/{dictionary}_{seed}.png",
    log:
        "results/{profile}/logs/tables/denoising/{dictionary}_{seed}.log",
    benchmark:
        "results/{profile}/benchmarks/tables/denoising/{dictionary}_{seed}.tsv"
    threads: MANY
    resources:
        mem_mb=2000,
        # Of the paper's images, one level takes 8 threads some three minutes.
        runtime=15 * len(DENOISING["levels"]) * DENOISING["repeats"],
    params:
        levels=listed(DENOISING["levels"]),
        repeats=DENOISING["repeats"],
        window=DENOISING["window"],
        seed=DENOISING["seed"],
    message:
        "Removing noise with {wildcards.dictionary}, seed {wildcards.seed}"
    shell:
        "ezdl denoise {input.dictionary} {input.images} {output.table} --sigma {params.levels}"
        " --repeats {params.repeats} --window {params.window} --seed {params.seed}"
        " --picture {output.picture} 2> {log}"


rule figure:
    input:
        drawn_from,
    output:
        pdf=report(
            "results/{profile}/figures/{number}_{figure}.pdf",
            caption="config/captions/figure.rst",
            category="Figures",
            labels={"figure": "{number}", "shows": "{figure}"},
        ),
        png="results/{profile}/figures/{number}_{figure}.png",
        csv="results/{profile}/figures/{number}_{figure}.csv",
    log:
        "results/{profile}/logs/figures/{number}_{figure}.log",
    benchmark:
        "results/{profile}/benchmarks/figures/{number}_{figure}.tsv"
    threads: 1
    resources:
        mem_mb=500,
        runtime=5,
    params:
        caption=lambda wildcards: FIGURES[wildcards.figure].caption,
    message:
        "Drawing {wildcards.number}_{wildcards.figure}"
    shell:
        "ezdl figure {wildcards.figure} {input} {output.pdf} 2> {log}"


rule claims:
    input:
        [file for file in FIGURE_FILES if file.endswith(".csv")],
        EVIDENCE,
    output:
        report(
            "results/{profile}/claims.{kind}",
            caption="config/captions/claims.rst",
            category="Claims",
            labels={"format": "{kind}"},
        ),
    log:
        "results/{profile}/logs/claims.{kind}.log",
    benchmark:
        "results/{profile}/benchmarks/claims.{kind}.tsv"
    threads: 1
    resources:
        mem_mb=500,
        runtime=5,
    message:
        "Checking the claims ({wildcards.kind})"
    shell:
        "ezdl claims {input} {output} 2> {log}"


rule report:
    input:
        FIGURE_FILES,
        EVIDENCE,
        "results/{profile}/claims.json",
    output:
        "results/{profile}/report.html",
    log:
        "results/{profile}/logs/report.log",
    benchmark:
        "results/{profile}/benchmarks/report.tsv"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=5,
    params:
        results=lambda wildcards: f"results/{wildcards.profile}",
        configuration=lambda wildcards: shlex.quote(json.dumps(config)),
    message:
        "Writing the report"
    shell:
        "ezdl report {params.results} {output} --configuration {params.configuration} 2> {log}"
