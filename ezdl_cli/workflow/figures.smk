# Figures. Titles and captions are in ezdl_cli/figures/captions.toml.


# One step draws all figures of a section: starting takes longer than drawing.
for section, names in FIGURE_SECTIONS.items():

    rule:
        name:
            f"figures_of_{section}"
        input:
            [plan.figure_inputs(name) for name in names],
        output:
            [
                report(
                    f"results/{{profile}}/figures/{stem(name)}.pdf",
                    caption="snakemake_report/figure.rst",
                    category="Figures",
                    labels={
                        "figure": FIGURES[name].number,
                        "shows": FIGURES[name].title,
                    },
                )
                for name in names
            ],
            figure_files("png", "svg", "csv", names=names),
        log:
            f"results/{{profile}}/logs/figures/{section}.log",
        benchmark:
            f"results/{{profile}}/benchmarks/figures/{section}.tsv"
        threads: 1
        resources:
            mem_mb=500,
            runtime=10,
        params:
            drawings=plan.drawings(names),
        message:
            f"Drawing the figures of {section}"
        shell:
            "ezdl figure {params.drawings} 2> {log}"
