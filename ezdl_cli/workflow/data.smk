# Photographs, and the patches that dictionaries are trained on.


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
        # A function, so that braces in the folder's name are not taken for wildcards.
        source=lambda wildcards: (
            "builtin"
            if config["images"] == "builtin"
            else f"import -- {shlex.quote(config['images'])}"
        ),
        folder=subpath(output.manifest, parent=True),
        checksum=lambda wildcards: photographs_checksum(config["images"]),
    message:
        "Preparing photographs"
    shell:
        "ezdl images {params.source} {params.folder} 2> {log}"


rule patches:
    input:
        images="data/{profile}/images/train",
        manifest="data/{profile}/images/manifest.json",
    output:
        patches="data/{profile}/patches/{size}x{size}.npy",
        metadata="data/{profile}/patches/{size}x{size}.json",
    log:
        "results/{profile}/logs/patches/{size}x{size}.log",
    benchmark:
        "results/{profile}/benchmarks/patches/{size}x{size}.tsv"
    threads: MANY
    resources:
        mem_mb=1000,
        runtime=30,
    params:
        per_image=config["patches"]["per_image"],
        seed=config["patches"]["seed"],
    message:
        "Extracting patches of {wildcards.size} x {wildcards.size} pixels"
    shell:
        "ezdl extract {input.images} {output.patches} --patch-size {wildcards.size}"
        " --per-image {params.per_image} --seed {params.seed} 2> {log}"


rule whitened:
    input:
        patches="data/{profile}/patches/{size}x{size}.npy",
        metadata="data/{profile}/patches/{size}x{size}.json",
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
        components=config["patches"]["components"],
    message:
        "Whitening patches of {wildcards.size} x {wildcards.size} pixels"
    shell:
        "ezdl whiten {input.patches} {output} --components {params.components} 2> {log}"
