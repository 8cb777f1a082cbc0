# Measurements, as tables: of the projections, then of dictionaries.


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
        "Computing the sparseness of two-dimensional vectors"
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
        seed=projections["seed"],
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
        # Memory for two vectors of the largest n. 20 ns per entry were measured; in the paper's
        # profile all n together have twice `max_entries`, and this allows three times as long.
        mem_mb=500 + (16 << projections["last_exponent"] >> 20),
        runtime=30 + projections["max_entries"] // (5 * 10**8),
    params:
        first=projections["first_exponent"],
        last=projections["last_exponent"],
        sparseness=projections["sparseness"],
        vectors=projections["vectors"],
        max_entries=projections["max_entries"],
        seed=projections["seed"],
    message:
        "Counting the evaluations of four solvers"
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
        # Memory for three vectors of the largest n.
        mem_mb=500 + (24 << projections["last_exponent"] >> 20),
        runtime=30 + (1 << max(0, projections["last_exponent"] - 23)),
    params:
        first=projections["first_exponent"],
        last=projections["last_exponent"],
        sparseness=projections["sparseness"],
        initial=projections["initial_sparseness"],
        repeats=projections["repeats"],
        seed=projections["seed"],
    message:
        "Timing projections"
    shell:
        "ezdl projections speedups {output} --exponents {params.first}:{params.last}"
        " --sparseness {params.sparseness} --initial-sparseness {params.initial}"
        " --repeats {params.repeats} --seed {params.seed} 2> {log}"


rule properties_table:
    output:
        "results/{profile}/tables/properties.csv",
    log:
        "results/{profile}/logs/tables/properties.log",
    benchmark:
        "results/{profile}/benchmarks/tables/properties.tsv"
    threads: 1
    resources:
        mem_mb=500,
        runtime=10,
    params:
        seed=projections["seed"],
    message:
        "Checking the properties of projections"
    shell:
        "ezdl projections properties {output} --seed {params.seed} 2> {log}"


rule gradient_table:
    output:
        "results/{profile}/tables/gradient.csv",
    log:
        "results/{profile}/logs/tables/gradient.log",
    benchmark:
        "results/{profile}/benchmarks/tables/gradient.tsv"
    threads: ALONE
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        seed=projections["seed"],
    message:
        "Checking and timing the gradient of projections"
    shell:
        "ezdl projections gradient {output} --seed {params.seed} 2> {log}"


rule filtering_table:
    input:
        f"results/{{profile}}/dictionaries/rank1-ordinary_{plan.seed}.npz",
    output:
        "results/{profile}/tables/filtering.csv",
    log:
        "results/{profile}/logs/tables/filtering.log",
    benchmark:
        "results/{profile}/benchmarks/tables/filtering.tsv"
    threads: ALONE
    resources:
        mem_mb=1000,
        runtime=10,
    message:
        "Timing separable filters"
    shell:
        "ezdl bench filtering {input} {output} 2> {log}"


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
        atoms=plan.grid_side**2,
        samples=training["samples_per_epoch"],
    message:
        "Timing one epoch of each learner"
    shell:
        "ezdl bench epochs {input} {output} --atoms {params.atoms}"
        " --samples-per-epoch {params.samples} 2> {log}"


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
        sparseness=",".join(map(str, config["reproduction"]["inference"])),
        iterations=plan.n_iterations,
        crop=crop_option(config["reproduction"]),
    message:
        "Reproducing images with {wildcards.dictionary}, seed {wildcards.seed}"
    shell:
        "ezdl evaluate {input.dictionary} {input.images} {output} --sparseness {params.sparseness}"
        " --iterations {params.iterations}{params.crop} 2> {log}"


use rule reproduction_table as iterations_table with:
    output:
        "results/{profile}/tables/iterations/{dictionary}_{seed}.csv",
    log:
        "results/{profile}/logs/tables/iterations/{dictionary}_{seed}.log",
    benchmark:
        "results/{profile}/benchmarks/tables/iterations/{dictionary}_{seed}.tsv"
    params:
        sparseness="0.75,0.85",
        iterations=",".join(map(str, plan.iterations)),
    message:
        "Reproducing images with several numbers of iterations, {wildcards.dictionary}, seed {wildcards.seed}"


use rule reproduction_table as history_table with:
    input:
        dictionary=snapshots(plan.epochs),
        images="data/{profile}/images/reproduce",
    output:
        "results/{profile}/tables/history/{dictionary}_{seed}.csv",
    log:
        "results/{profile}/logs/tables/history/{dictionary}_{seed}.log",
    benchmark:
        "results/{profile}/benchmarks/tables/history/{dictionary}_{seed}.tsv"
    params:
        sparseness="0.99",
        iterations=plan.n_iterations,
    message:
        "Reproducing images with all epochs of {wildcards.dictionary}, seed {wildcards.seed}"


use rule reproduction_table as full_gradient_table with:
    output:
        "results/{profile}/tables/full_gradient/{dictionary}_{seed}.csv",
    log:
        "results/{profile}/logs/tables/full_gradient/{dictionary}_{seed}.log",
    benchmark:
        "results/{profile}/benchmarks/tables/full_gradient/{dictionary}_{seed}.tsv"
    params:
        sparseness="0.99",
        iterations=plan.n_iterations,


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
        dictionary=any_of(plan.names("topography")),
    params:
        layout=lambda wildcards, output: f" --topography {output.layout} --seed {plan.seed}",


ruleorder: gabor_table_of_grid > gabor_table


rule resemblance_table:
    input:
        final="results/{profile}/dictionaries/{dictionary}_{seed}.npz",
        early=snapshots([0, 1]),
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
        seed=plan.seed,
    message:
        "Comparing the first and the last epoch of {wildcards.dictionary}"
    shell:
        "ezdl compare {input.final} {input.early} {output} --seed {params.seed} 2> {log}"


rule denoising_table:
    input:
        dictionary="results/{profile}/dictionaries/{dictionary}_{seed}.npz",
        images="data/{profile}/images/denoise",
    output:
        table="results/{profile}/tables/denoising/{rules}-{dictionary}_{seed}.csv",
        picture="results/{profile}/pictures/denoising/{rules}-{dictionary}_{seed}.png",
        examples="results/{profile}/pictures/examples/{rules}-{dictionary}_{seed}.png",
    log:
        "results/{profile}/logs/tables/denoising/{rules}-{dictionary}_{seed}.log",
    benchmark:
        "results/{profile}/benchmarks/tables/denoising/{rules}-{dictionary}_{seed}.tsv"
    threads: MANY
    resources:
        mem_mb=2000,
        # One level takes about three minutes on the paper's images with 8 threads.
        runtime=15 * len(config["denoising"]["levels"]) * config["denoising"]["repeats"],
    params:
        levels=",".join(map(str, config["denoising"]["levels"])),
        repeats=config["denoising"]["repeats"],
        window=config["denoising"]["window"],
        crop=crop_option(config["denoising"]),
        seed=config["denoising"]["seed"],
    message:
        "Denoising images with {wildcards.dictionary}, seed {wildcards.seed}, rules: {wildcards.rules}"
    shell:
        "ezdl denoise {input.dictionary} {input.images} {output.table} --sigma {params.levels}"
        " --rules {wildcards.rules} --repeats {params.repeats} --window {params.window}{params.crop}"
        " --seed {params.seed} --picture {output.picture} --examples {output.examples} 2> {log}"


rule restoration_table:
    input:
        dictionary="results/{profile}/dictionaries/{dictionary}_{seed}.npz",
        images="data/{profile}/images/denoise",
    output:
        table="results/{profile}/tables/restoration/{dictionary}_{seed}.csv",
        picture="results/{profile}/pictures/restoration/{dictionary}_{seed}.png",
        examples="results/{profile}/pictures/restored/{dictionary}_{seed}.png",
    log:
        "results/{profile}/logs/tables/restoration/{dictionary}_{seed}.log",
    benchmark:
        "results/{profile}/benchmarks/tables/restoration/{dictionary}_{seed}.tsv"
    threads: MANY
    resources:
        # The baseline of inpainting takes 1 GB for 512 x 512 pixels.
        mem_mb=2000 if config["restoration"]["crop"] else 4000,
        # One setting takes about four minutes of CPU time on the paper's images, or half an hour
        # on whole ones.
        runtime=30 * plan.n_degradations,
    params:
        factors=",".join(map(str, plan.factors)),
        blurs=",".join(map(str, config["restoration"]["blurs"])),
        noise=config["restoration"]["noise"],
        missing=",".join(map(str, config["restoration"]["missing"])),
        crop=crop_option(config["restoration"]),
        seed=config["restoration"]["seed"],
    message:
        "Restoring images with {wildcards.dictionary}, seed {wildcards.seed}"
    shell:
        "ezdl restore {input.dictionary} {input.images} {output.table} --factors {params.factors}"
        " --blurs {params.blurs} --noise {params.noise} --missing {params.missing}{params.crop}"
        " --seed {params.seed} --picture {output.picture} --examples {output.examples} 2> {log}"
