# The whole experiment. Each rule is one `ezdl` call; values of the configuration go through
# `params`, so that only what depends on a changed value runs again.
from snakemake.utils import min_version, validate

min_version("9.0")


configfile: "config/quick.yaml"


validate(config, "config/schema.yaml")

RESULTS = f"results/{config['profile']}"
PROJECTIONS = config["projections"]
FIGURES = {
    "sparseness": "fig01_sparseness",
    "auxiliary": "fig02_auxiliary",
    "flowchart": "fig03_flowchart",
    "evaluations": "fig04_evaluations",
    "speedups": "fig05_speedups",
}


wildcard_constraints:
    name="|".join(FIGURES),


container: "docker://python:3.11"


rule all:
    input:
        expand(
            RESULTS + "/figures/{file}.{kind}",
            file=FIGURES.values(),
            kind=["pdf", "png", "csv"],
        ),


rule sparseness_table:
    output:
        RESULTS + "/tables/sparseness.csv",
    log:
        RESULTS + "/logs/sparseness_table.log",
    benchmark:
        RESULTS + "/benchmarks/sparseness_table.tsv"
    threads: 1
    shell:
        "ezdl projections sparseness {output} 2> {log}"


rule auxiliary_table:
    output:
        RESULTS + "/tables/auxiliary.csv",
    params:
        seed=PROJECTIONS["seed"],
    log:
        RESULTS + "/logs/auxiliary_table.log",
    benchmark:
        RESULTS + "/benchmarks/auxiliary_table.tsv"
    threads: 1
    shell:
        "ezdl projections auxiliary {output} --seed {params.seed} 2> {log}"


rule evaluations_table:
    output:
        RESULTS + "/tables/evaluations.csv",
    params:
        first=PROJECTIONS["first_exponent"],
        last=PROJECTIONS["last_exponent"],
        sparseness=PROJECTIONS["sparseness"],
        vectors=PROJECTIONS["vectors"],
        max_entries=PROJECTIONS["max_entries"],
        seed=PROJECTIONS["seed"],
    log:
        RESULTS + "/logs/evaluations_table.log",
    benchmark:
        RESULTS + "/benchmarks/evaluations_table.tsv"
    threads: 1
    shell:
        "ezdl projections evaluations {output} --exponents {params.first}:{params.last}"
        " --sparseness {params.sparseness} --vectors {params.vectors}"
        " --max-entries {params.max_entries} --seed {params.seed} 2> {log}"


# Times are only worth something while nothing else runs: it takes all cores.
rule speedups_table:
    output:
        RESULTS + "/tables/speedups.csv",
    params:
        first=PROJECTIONS["first_exponent"],
        last=PROJECTIONS["last_exponent"],
        sparseness=PROJECTIONS["sparseness"],
        initial=PROJECTIONS["initial_sparseness"],
        repeats=PROJECTIONS["repeats"],
        seed=PROJECTIONS["seed"],
    log:
        RESULTS + "/logs/speedups_table.log",
    benchmark:
        RESULTS + "/benchmarks/speedups_table.tsv"
    threads: workflow.cores
    shell:
        "ezdl projections speedups {output} --exponents {params.first}:{params.last}"
        " --sparseness {params.sparseness} --initial-sparseness {params.initial}"
        " --repeats {params.repeats} --seed {params.seed} 2> {log}"


rule figure:
    input:
        lambda wildcards: (
            []
            if wildcards.name == "flowchart"
            else f"{RESULTS}/tables/{wildcards.name}.csv"
        ),
    output:
        pdf=report(
            RESULTS + "/figures/{number}_{name}.pdf",
            caption="config/captions/{name}.rst",
            category="Projections",
            labels={"figure": "{name}"},
        ),
        png=RESULTS + "/figures/{number}_{name}.png",
        csv=RESULTS + "/figures/{number}_{name}.csv",
    log:
        RESULTS + "/logs/{number}_{name}.log",
    benchmark:
        RESULTS + "/benchmarks/{number}_{name}.tsv"
    threads: 1
    shell:
        "ezdl figure {wildcards.name} {input} {output.pdf} 2> {log}"
