# Training of dictionaries.


rule train:
    input:
        lambda wildcards: f"data/{{profile}}/patches/{plan.by_name[wildcards.dictionary].samples}",
    output:
        dictionary="results/{profile}/dictionaries/{dictionary}_{seed}.npz",
    log:
        "results/{profile}/logs/dictionaries/{dictionary}_{seed}.log",
    benchmark:
        "results/{profile}/benchmarks/dictionaries/{dictionary}_{seed}.tsv"
    threads: 1
    resources:
        mem_mb=1000,
        # Half a millisecond per sample, many times what any learner needs.
        runtime=30 + training["epochs"] * training["samples_per_epoch"] // 120_000,
    params:
        learner=lambda wildcards: plan.by_name[wildcards.dictionary].learner,
        options=lambda wildcards: plan.by_name[wildcards.dictionary].options,
        atoms=plan.grid_side**2,
        epochs=training["epochs"],
        samples=training["samples_per_epoch"],
        states=f"--checkpoint-every {training['checkpoint_every']} --resume --discard-other",
    message:
        "Training {wildcards.dictionary}, seed {wildcards.seed}"
    shell:
        "ezdl train {params.learner} {input} {output.dictionary} {params.options}"
        " --atoms {params.atoms} --epochs {params.epochs} --samples-per-epoch {params.samples}"
        " --seed {wildcards.seed} {params.states} 2> {log}"


# Training with snapshots starts over if it is interrupted: Snakemake then removes the snapshots,
# and resuming from a checkpoint would not recreate those before it.
use rule train as train_with_snapshots with:
    output:
        dictionary="results/{profile}/dictionaries/{dictionary}_{seed}.npz",
        snapshots=snapshots(plan.snapshot_epochs),
    wildcard_constraints:
        dictionary=any_of(plan.names("history", "resemblance")),
    params:
        states=f"--snapshot-epochs {','.join(map(str, plan.snapshot_epochs))}",


ruleorder: train_with_snapshots > train


use rule train as train_with_activity with:
    output:
        dictionary="results/{profile}/dictionaries/{dictionary}_{seed}.npz",
        activity="results/{profile}/tables/activity/{dictionary}_{seed}.csv",
    wildcard_constraints:
        dictionary=any_of(plan.names("activity")),
    params:
        states=lambda wildcards, output: (
            f"--checkpoint-every {training['checkpoint_every']} --resume --discard-other"
            f" --activity {output.activity}"
        ),


ruleorder: train_with_activity > train
