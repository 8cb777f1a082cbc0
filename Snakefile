# The whole experiment. Each rule is one `ezdl` call; values of the configuration go through
# `params`, so that only what depends on a changed value runs again.
import shlex
import sys
from pathlib import Path

from snakemake.utils import min_version, validate

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
FIGURES = {
    "sparseness": "fig01_sparseness",
    "auxiliary": "fig02_auxiliary",
    "flowchart": "fig03_flowchart",
    "evaluations": "fig04_evaluations",
    "speedups": "fig05_speedups",
}
# Dictionaries that are shown: figure, samples, and how they are learned.
DICTIONARIES = {
    "whitened-topographic": (
        "fig08a_whitened-topographic",
        "16x16_whitened.npz",
        "--sparseness 0.85 --inference topographic --grid 16x16",
    ),
    "whitened-rank": (
        "fig08b_whitened-rank",
        "16x16_whitened.npz",
        "--sparseness 0.85 --inference rank --code-rank 1 --grid 16x16",
    ),
    "rank1-ordinary": (
        "fig09a_rank1-ordinary",
        "16x16.npy",
        "--sparseness 0.85 --atom-rank 1",
    ),
    "rank1-topographic": (
        "fig09b_rank1-topographic",
        "16x16.npy",
        "--sparseness 0.85 --atom-rank 1 --inference topographic --grid 16x16",
    ),
}
# Dictionaries that reproduce images: how they are learned, by learner.
LEARNED = {
    "ezdl": [f"--sparseness {value}" for value in REPRODUCTION["sparseness"]],
    "odl": [f"--lambda {value}" for value in REPRODUCTION["lambdas"]],
    "rls-dla": [f"--nonzeros {value}" for value in REPRODUCTION["nonzeros"]],
}
# Those whose learning is followed.
FOLLOWED = {
    "ezdl_step-1": "ezdl --sparseness 0.99 --step-size 1",
    "ezdl_step-0.25": "ezdl --sparseness 0.99 --step-size 0.25",
    "ezdl_step-0.0625": "ezdl --sparseness 0.99 --step-size 0.0625",
    "odl": "odl --lambda 2",
    "rls-dla": "rls-dla --nonzeros 4",
}
# Dictionaries that Gabor functions are fitted to beside those of `gabor`: samples and learning.
ALSO_FITTED = {
    **{name: given for name, (_, *given) in DICTIONARIES.items()},
    "whitened": ("16x16_whitened.npz", "--sparseness 0.85"),
    "topographic": (
        "16x16.npy",
        "--sparseness 0.85 --inference topographic --grid 16x16",
    ),
}
GABOR_FIGURES = {"gabor": "fig06_gabor", "phases": "fig07_phases"}
# JSON schemas take 2.0 for a whole number; `ezdl` does not.
for key in ("nonzeros", "seeds", "iterations", "history"):
    REPRODUCTION[key] = list(dict.fromkeys(map(int, REPRODUCTION[key])))
for part in (GABOR, DENOISING):
    part["seeds"] = list(dict.fromkeys(map(int, part["seeds"])))
EPOCHS = sorted({*REPRODUCTION["history"], TRAINING["epochs"]})
EPOCHS = [epoch for epoch in EPOCHS if epoch <= TRAINING["epochs"]]
REPRODUCTION_FIGURES = {
    "iterations": "fig10a_iterations",
    "ezdl": "fig10b_ezdl",
    "odl": "fig11a_odl",
    "rls-dla": "fig11b_rls-dla",
    "envelopes": "fig12_envelopes",
    "history": "fig13_history",
}


# Dictionaries that denoise, by learner: those of the sparsest codes (paper: 0.99, 2 and 4).
DENOISE = {
    "ezdl": REPRODUCTION["sparseness"].index(max(REPRODUCTION["sparseness"])),
    "odl": REPRODUCTION["lambdas"].index(max(REPRODUCTION["lambdas"])),
    "rls-dla": REPRODUCTION["nonzeros"].index(min(REPRODUCTION["nonzeros"])),
}


def tables_of_learner(name):
    """The tables of all dictionaries of a learner."""
    return [
        f"results/{{profile}}/tables/reproduction/{name}_{number}_{seed}.csv"
        for number in range(len(LEARNED[name]))
        for seed in REPRODUCTION["seeds"]
    ]


def tables_of_figure(wildcards):
    """The tables that a figure of the reproduction is drawn from."""
    if wildcards.curves == "envelopes":
        tables = [table for name in LEARNED for table in tables_of_learner(name)]
    elif wildcards.curves == "iterations":
        tables = [
            f"results/{{profile}}/tables/iterations/ezdl_{number}_{seed}.csv"
            for number, value in enumerate(REPRODUCTION["sparseness"])
            if value in (0.75, 0.85)
            for seed in REPRODUCTION["seeds"]
        ]
    elif wildcards.curves == "history":
        tables = [
            f"results/{{profile}}/tables/history/{name}_{seed}.epoch-{epoch:04d}.csv"
            for name in FOLLOWED
            for seed in REPRODUCTION["seeds"]
            for epoch in EPOCHS
        ]
    else:
        tables = tables_of_learner(wildcards.curves)
    return [table.format(profile=wildcards.profile) for table in tables]


def on_grid(name):
    """Whether the atoms of a dictionary are on a grid."""
    return "--grid" in ALSO_FITTED[name][1]


def listed(values):
    """Values as the options of `ezdl` want them."""
    return ",".join(map(str, values))


def photographs(wildcards):
    """The files of the configured folder, so that a change in it is noticed."""
    folder = Path(config["images"])
    if config["images"] == "builtin":
        return []
    files = [str(path) for path in sorted(folder.rglob("*")) if path.is_file()]
    return files or [str(folder)]


wildcard_constraints:
    name="|".join(FIGURES),
    dictionary="|".join(ALSO_FITTED),
    free="|".join(name for name in ALSO_FITTED if not on_grid(name)),
    mapped="|".join(name for name in ALSO_FITTED if on_grid(name)),
    fitted="|".join(GABOR_FIGURES),
    learner="|".join(LEARNED),
    followed="|".join(FOLLOWED),
    curves="|".join(REPRODUCTION_FIGURES),
    index=r"\d+",
    seed=r"\d+",
    epoch=r"\d+",
    size=r"\d+",


container: "docker://python:3.11"


rule all:
    input:
        expand(
            "results/{profile}/figures/{file}.{kind}",
            profile=config["profile"],
            file=[
                *FIGURES.values(),
                *(figure for figure, _, _ in DICTIONARIES.values()),
                *REPRODUCTION_FIGURES.values(),
                *GABOR_FIGURES.values(),
                "fig14_denoising",
            ],
            kind=["pdf", "png", "csv"],
        ),
        expand(
            "results/{profile}/tables/gabor/{dictionary}.csv",
            profile=config["profile"],
            dictionary=ALSO_FITTED,
        ),
        expand(
            "results/{profile}/tables/topography/{dictionary}.csv",
            profile=config["profile"],
            dictionary=[name for name in ALSO_FITTED if on_grid(name)],
        ),


rule images:
    input:
        photographs,
    output:
        manifest="data/{profile}/images/manifest.json",
        train=directory("data/{profile}/images/train"),
        reproduce=directory("data/{profile}/images/reproduce"),
        denoise=directory("data/{profile}/images/denoise"),
    log:
        "results/{profile}/logs/images.log",
    benchmark:
        "results/{profile}/benchmarks/images.tsv"
    threads: workflow.cores
    params:
        source=(
            "builtin"
            if config["images"] == "builtin"
            else f"import -- {shlex.quote(config['images'])}"
        ),
        folder=subpath(output.manifest, parent=True),
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
        "results/{profile}/logs/patches_{size}.log",
    benchmark:
        "results/{profile}/benchmarks/patches_{size}.tsv"
    threads: workflow.cores
    params:
        per_image=PATCHES["per_image"],
        seed=PATCHES["seed"],
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
        "results/{profile}/logs/whitened_{size}.log",
    benchmark:
        "results/{profile}/benchmarks/whitened_{size}.tsv"
    threads: workflow.cores
    params:
        components=PATCHES["components"],
    shell:
        "ezdl whiten {input.patches} {output} --components {params.components} 2> {log}"


rule sparseness_table:
    output:
        "results/{profile}/tables/sparseness.csv",
    log:
        "results/{profile}/logs/sparseness_table.log",
    benchmark:
        "results/{profile}/benchmarks/sparseness_table.tsv"
    threads: 1
    shell:
        "ezdl projections sparseness {output} 2> {log}"


rule auxiliary_table:
    output:
        "results/{profile}/tables/auxiliary.csv",
    log:
        "results/{profile}/logs/auxiliary_table.log",
    benchmark:
        "results/{profile}/benchmarks/auxiliary_table.tsv"
    threads: 1
    params:
        seed=PROJECTIONS["seed"],
    shell:
        "ezdl projections auxiliary {output} --seed {params.seed} 2> {log}"


rule evaluations_table:
    output:
        "results/{profile}/tables/evaluations.csv",
    log:
        "results/{profile}/logs/evaluations_table.log",
    benchmark:
        "results/{profile}/benchmarks/evaluations_table.tsv"
    threads: 1
    params:
        first=PROJECTIONS["first_exponent"],
        last=PROJECTIONS["last_exponent"],
        sparseness=PROJECTIONS["sparseness"],
        vectors=PROJECTIONS["vectors"],
        max_entries=PROJECTIONS["max_entries"],
        seed=PROJECTIONS["seed"],
    shell:
        "ezdl projections evaluations {output} --exponents {params.first}:{params.last}"
        " --sparseness {params.sparseness} --vectors {params.vectors}"
        " --max-entries {params.max_entries} --seed {params.seed} 2> {log}"


# Times are only worth something while nothing else runs: it takes all cores.
rule speedups_table:
    output:
        "results/{profile}/tables/speedups.csv",
    log:
        "results/{profile}/logs/speedups_table.log",
    benchmark:
        "results/{profile}/benchmarks/speedups_table.tsv"
    threads: workflow.cores
    params:
        first=PROJECTIONS["first_exponent"],
        last=PROJECTIONS["last_exponent"],
        sparseness=PROJECTIONS["sparseness"],
        initial=PROJECTIONS["initial_sparseness"],
        repeats=PROJECTIONS["repeats"],
        seed=PROJECTIONS["seed"],
    shell:
        "ezdl projections speedups {output} --exponents {params.first}:{params.last}"
        " --sparseness {params.sparseness} --initial-sparseness {params.initial}"
        " --repeats {params.repeats} --seed {params.seed} 2> {log}"


rule figure:
    input:
        lambda wildcards: (
            []
            if wildcards.name == "flowchart"
            else "results/{profile}/tables/{name}.csv"
        ),
    output:
        pdf=report(
            "results/{profile}/figures/{number}_{name}.pdf",
            caption="config/captions/projections.rst",
            category="Projections",
            labels={"figure": "{name}"},
        ),
        png="results/{profile}/figures/{number}_{name}.png",
        csv="results/{profile}/figures/{number}_{name}.csv",
    log:
        "results/{profile}/logs/{number}_{name}.log",
    benchmark:
        "results/{profile}/benchmarks/{number}_{name}.tsv"
    threads: 1
    shell:
        "ezdl figure {wildcards.name} {input} {output.pdf} 2> {log}"


rule dictionary:
    input:
        lambda wildcards: f"data/{wildcards.profile}/patches/{ALSO_FITTED[wildcards.dictionary][0]}",
    output:
        "results/{profile}/dictionaries/{dictionary}.npz",
    log:
        "results/{profile}/logs/dictionary_{dictionary}.log",
    benchmark:
        "results/{profile}/benchmarks/dictionary_{dictionary}.tsv"
    threads: 1
    params:
        learning=lambda wildcards: ALSO_FITTED[wildcards.dictionary][1],
        epochs=TRAINING["epochs"],
        samples=TRAINING["samples_per_epoch"],
        every=TRAINING["checkpoint_every"],
        seed=TRAINING["seed"],
    shell:
        "ezdl train ezdl {input} {output} {params.learning} --atoms 256"
        " --epochs {params.epochs} --samples-per-epoch {params.samples} --seed {params.seed}"
        " --checkpoint-every {params.every} --resume 2> {log}"


rule dictionary_figure:
    input:
        "results/{profile}/dictionaries/{dictionary}.npz",
    output:
        pdf=report(
            "results/{profile}/figures/{number}_{dictionary}.pdf",
            caption="config/captions/dictionaries.rst",
            category="Dictionaries",
            labels={"figure": "{dictionary}"},
        ),
        png="results/{profile}/figures/{number}_{dictionary}.png",
        csv="results/{profile}/figures/{number}_{dictionary}.csv",
    log:
        "results/{profile}/logs/{number}_{dictionary}.log",
    benchmark:
        "results/{profile}/benchmarks/{number}_{dictionary}.tsv"
    threads: 1
    shell:
        "ezdl figure {wildcards.dictionary} {input} {output.pdf} 2> {log}"


rule learned:
    input:
        "data/{profile}/patches/8x8.npy",
    output:
        "results/{profile}/dictionaries/{learner}_{index}_{seed}.npz",
    log:
        "results/{profile}/logs/learned_{learner}_{index}_{seed}.log",
    benchmark:
        "results/{profile}/benchmarks/learned_{learner}_{index}_{seed}.tsv"
    threads: 1
    params:
        learning=lambda wildcards: LEARNED[wildcards.learner][int(wildcards.index)],
        epochs=TRAINING["epochs"],
        samples=TRAINING["samples_per_epoch"],
        every=TRAINING["checkpoint_every"],
    shell:
        "ezdl train {wildcards.learner} {input} {output} {params.learning} --atoms 256"
        " --epochs {params.epochs} --samples-per-epoch {params.samples}"
        " --seed {wildcards.seed} --checkpoint-every {params.every} --resume 2> {log}"


rule reproduction_table:
    input:
        dictionary="results/{profile}/dictionaries/{learner}_{index}_{seed}.npz",
        images="data/{profile}/images/reproduce",
    output:
        "results/{profile}/tables/reproduction/{learner}_{index}_{seed}.csv",
    log:
        "results/{profile}/logs/reproduction_{learner}_{index}_{seed}.log",
    benchmark:
        "results/{profile}/benchmarks/reproduction_{learner}_{index}_{seed}.tsv"
    threads: workflow.cores
    params:
        sparseness=listed(REPRODUCTION["inference"]),
        iterations=max(REPRODUCTION["iterations"]),
    shell:
        "ezdl evaluate {input.dictionary} {input.images} {output}"
        " --sparseness {params.sparseness} --iterations {params.iterations} 2> {log}"


rule iterations_table:
    input:
        dictionary="results/{profile}/dictionaries/{learner}_{index}_{seed}.npz",
        images="data/{profile}/images/reproduce",
    output:
        "results/{profile}/tables/iterations/{learner}_{index}_{seed}.csv",
    log:
        "results/{profile}/logs/iterations_{learner}_{index}_{seed}.log",
    benchmark:
        "results/{profile}/benchmarks/iterations_{learner}_{index}_{seed}.tsv"
    threads: workflow.cores
    params:
        iterations=listed(REPRODUCTION["iterations"]),
    shell:
        "ezdl evaluate {input.dictionary} {input.images} {output}"
        " --sparseness 0.75,0.85 --iterations {params.iterations} 2> {log}"


rule followed:
    input:
        "data/{profile}/patches/8x8.npy",
    output:
        dictionary="results/{profile}/history/{followed}_{seed}.npz",
        snapshots=[
            f"results/{{profile}}/history/{{followed}}_{{seed}}.epoch-{epoch:04d}.npz"
            for epoch in EPOCHS
        ],
    log:
        "results/{profile}/logs/followed_{followed}_{seed}.log",
    benchmark:
        "results/{profile}/benchmarks/followed_{followed}_{seed}.tsv"
    threads: 1
    params:
        learning=lambda wildcards: FOLLOWED[wildcards.followed].split()[1:],
        learner=lambda wildcards: FOLLOWED[wildcards.followed].split()[0],
        snapshots=listed(EPOCHS),
        epochs=TRAINING["epochs"],
        samples=TRAINING["samples_per_epoch"],
    shell:
        "ezdl train {params.learner} {input} {output.dictionary} {params.learning} --atoms 256"
        " --epochs {params.epochs} --samples-per-epoch {params.samples}"
        " --seed {wildcards.seed} --snapshot-epochs {params.snapshots} 2> {log}"


rule history_table:
    input:
        dictionary="results/{profile}/history/{followed}_{seed}.epoch-{epoch}.npz",
        images="data/{profile}/images/reproduce",
    output:
        "results/{profile}/tables/history/{followed}_{seed}.epoch-{epoch}.csv",
    log:
        "results/{profile}/logs/history_{followed}_{seed}_{epoch}.log",
    benchmark:
        "results/{profile}/benchmarks/history_{followed}_{seed}_{epoch}.tsv"
    threads: 1
    params:
        iterations=max(REPRODUCTION["iterations"]),
    shell:
        "ezdl evaluate {input.dictionary} {input.images} {output}"
        " --sparseness 0.99 --iterations {params.iterations} 2> {log}"


rule reproduction_figure:
    input:
        tables_of_figure,
    output:
        pdf=report(
            "results/{profile}/figures/{number}_{curves}.pdf",
            caption="config/captions/reproduction.rst",
            category="Reproduction of images",
            labels={"figure": "{curves}"},
        ),
        png="results/{profile}/figures/{number}_{curves}.png",
        csv="results/{profile}/figures/{number}_{curves}.csv",
    log:
        "results/{profile}/logs/{number}_{curves}.log",
    benchmark:
        "results/{profile}/benchmarks/{number}_{curves}.tsv"
    threads: 1
    shell:
        "ezdl figure {wildcards.curves} {input} {output.pdf} 2> {log}"


rule to_fit:
    input:
        "data/{profile}/patches/16x16.npy",
    output:
        "results/{profile}/dictionaries/gabor_{index}_{seed}.npz",
    log:
        "results/{profile}/logs/to_fit_{index}_{seed}.log",
    benchmark:
        "results/{profile}/benchmarks/to_fit_{index}_{seed}.tsv"
    threads: 1
    params:
        sparseness=lambda wildcards: GABOR["sparseness"][int(wildcards.index)],
        epochs=TRAINING["epochs"],
        samples=TRAINING["samples_per_epoch"],
        every=TRAINING["checkpoint_every"],
    shell:
        "ezdl train ezdl {input} {output} --sparseness {params.sparseness} --atoms 256"
        " --epochs {params.epochs} --samples-per-epoch {params.samples}"
        " --seed {wildcards.seed} --checkpoint-every {params.every} --resume 2> {log}"


rule gabor_table:
    input:
        "results/{profile}/dictionaries/gabor_{index}_{seed}.npz",
    output:
        table="results/{profile}/tables/gabor/{index}_{seed}.csv",
        picture="results/{profile}/pictures/gabor/{index}_{seed}.png",
    log:
        "results/{profile}/logs/gabor_{index}_{seed}.log",
    benchmark:
        "results/{profile}/benchmarks/gabor_{index}_{seed}.tsv"
    threads: workflow.cores
    shell:
        "ezdl gabor {input} {output.table} --picture {output.picture} 2> {log}"


rule gabor_table_of_dictionary:
    input:
        "results/{profile}/dictionaries/{free}.npz",
    output:
        table="results/{profile}/tables/gabor/{free}.csv",
        picture="results/{profile}/pictures/gabor/{free}.png",
    log:
        "results/{profile}/logs/gabor_{free}.log",
    benchmark:
        "results/{profile}/benchmarks/gabor_{free}.tsv"
    threads: workflow.cores
    shell:
        "ezdl gabor {input} {output.table} --picture {output.picture} 2> {log}"


rule gabor_table_of_grid:
    input:
        "results/{profile}/dictionaries/{mapped}.npz",
    output:
        table="results/{profile}/tables/gabor/{mapped}.csv",
        layout="results/{profile}/tables/topography/{mapped}.csv",
        picture="results/{profile}/pictures/gabor/{mapped}.png",
    log:
        "results/{profile}/logs/gabor_{mapped}.log",
    benchmark:
        "results/{profile}/benchmarks/gabor_{mapped}.tsv"
    threads: workflow.cores
    params:
        seed=TRAINING["seed"],
    shell:
        "ezdl gabor {input} {output.table} --picture {output.picture}"
        " --topography {output.layout} --seed {params.seed} 2> {log}"


rule gabor_figure:
    input:
        lambda wildcards: [
            f"results/{wildcards.profile}/tables/gabor/{number}_{seed}.csv"
            for number in range(len(GABOR["sparseness"]))
            for seed in GABOR["seeds"]
        ],
    output:
        pdf=report(
            "results/{profile}/figures/{number}_{fitted}.pdf",
            caption="config/captions/gabor.rst",
            category="Gabor functions",
            labels={"figure": "{fitted}"},
        ),
        png="results/{profile}/figures/{number}_{fitted}.png",
        csv="results/{profile}/figures/{number}_{fitted}.csv",
    log:
        "results/{profile}/logs/{number}_{fitted}.log",
    benchmark:
        "results/{profile}/benchmarks/{number}_{fitted}.tsv"
    threads: 1
    shell:
        "ezdl figure {wildcards.fitted} {input} {output.pdf} 2> {log}"


rule denoising_table:
    input:
        dictionary="results/{profile}/dictionaries/{learner}_{index}_{seed}.npz",
        images="data/{profile}/images/denoise",
    output:
        table="results/{profile}/tables/denoising/{learner}_{index}_{seed}.csv",
        picture="results/{profile}/pictures/denoising/{learner}_{index}_{seed}.png",
    log:
        "results/{profile}/logs/denoising_{learner}_{index}_{seed}.log",
    benchmark:
        "results/{profile}/benchmarks/denoising_{learner}_{index}_{seed}.tsv"
    threads: workflow.cores
    params:
        levels=listed(DENOISING["levels"]),
        repeats=DENOISING["repeats"],
        window=DENOISING["window"],
        seed=DENOISING["seed"],
    shell:
        "ezdl denoise {input.dictionary} {input.images} {output.table} --sigma {params.levels}"
        " --repeats {params.repeats} --window {params.window} --seed {params.seed}"
        " --picture {output.picture} 2> {log}"


rule denoising_figure:
    input:
        [
            f"results/{{profile}}/tables/denoising/{learner}_{index}_{seed}.csv"
            for learner, index in DENOISE.items()
            for seed in DENOISING["seeds"]
        ],
    output:
        pdf=report(
            "results/{profile}/figures/fig14_denoising.pdf",
            caption="config/captions/denoising.rst",
            category="Denoising",
            labels={"figure": "denoising"},
        ),
        png="results/{profile}/figures/fig14_denoising.png",
        csv="results/{profile}/figures/fig14_denoising.csv",
    log:
        "results/{profile}/logs/fig14_denoising.log",
    benchmark:
        "results/{profile}/benchmarks/fig14_denoising.tsv"
    threads: 1
    shell:
        "ezdl figure denoising {input} {output.pdf} 2> {log}"
