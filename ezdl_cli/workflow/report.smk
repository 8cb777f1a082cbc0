# The verdicts on the claims, and the report.


rule claims:
    input:
        plan.claim_tables(),
    output:
        [
            report(
                f"results/{{profile}}/claims.{kind}",
                caption="snakemake_report/claims.rst",
                category="Claims",
                labels={"format": kind},
            )
            for kind in ("md", "json", "html")
        ],
    log:
        "results/{profile}/logs/claims.log",
    benchmark:
        "results/{profile}/benchmarks/claims.tsv"
    threads: 1
    resources:
        mem_mb=500,
        runtime=5,
    message:
        "Judging the claims"
    shell:
        "ezdl claims {input} {output} 2> {log}"


rule report:
    input:
        figure_files("pdf", "png", "svg", "csv"),
        plan.claim_tables(),
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
