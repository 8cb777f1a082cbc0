# Figures. Titles and captions are in ezdl_cli/figures/captions.toml.


rule figure:
    input:
        lambda wildcards: plan.figure_inputs(wildcards.figure),
    output:
        pdf=report(
            "results/{profile}/figures/{number}_{figure}.pdf",
            caption="snakemake_report/figure.rst",
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
