"""Files to damage, how to damage them, and the commands that read them."""

from dataclasses import dataclass

from helpers.fuzzing.healthy import DRAWN, FEW, RESUMED
from helpers.fuzzing.mutations import (
    damage,
    damage_array,
    damage_json,
    damage_lines,
    damage_npz,
    damage_png,
    damage_table,
    damage_yaml,
)

TRAIN = ("--epochs", "1", *FEW)
ONE_ROUND = ("--rounds", "1")
QUICK = ("--sigma", "20", "--window", "4")
ONE_SETTING = ("--factors", "2", "--blurs", "0.3", "--missing", "50")


@dataclass(frozen=True)
class Target:
    """A kind of file, and the commands that read it."""

    kind: str
    victims: tuple
    """Files, one of which is damaged, relative to the folder of valid ones."""
    mutations: tuple
    """Functions, one of which damages it."""
    commands: tuple
    """Arguments, one of which is run; {file} is the damaged file, {folder} its folder."""
    needs: tuple = ()
    """Other files and folders that the commands read."""
    codes: tuple = (0,)
    """Exit codes of a successful command."""
    weight: int = 4
    """Relative number of files of this kind."""


IMAGES = (
    *("rgb.png", "palette.png", "rgba.png", "grey.png", "bits.png", "deep.png"),
    *("deep-rgb.png", "deep-alpha.png", "raw.tif", "tiff_lzw.tif", "tiff_adobe_deflate.tif"),
    *("packbits.tif", "jpeg.tif", "group4.tif", "deep.tif", "tiles.tif", "planes.tif", "big.tif"),
    *("turned.jpg", "progressive.jpg", "cmyk.jpg", "lossy.webp", "lossless.webp", "rgb.bmp"),
    *("palette.bmp", "grey.pgm", "rgb.ppm", "text.pgm"),
    *("exif.png", "exif.jpg", "exif.webp", "exif.tif", "deep-exif.png"),
    *("several.jpg", "frames.png", "frames.webp", "pages.tif"),
)
READ_IMAGE = (
    ("extract", "{folder}", "new.npy", "--patch-size", "4", "--per-image", "9"),
    ("extract", "{file}", "new.npy", "--patch-size", "4", "--per-image", "9"),
    ("images", "import", "{folder}", "new"),
    ("images", "import", "{file}", "new"),
    ("denoise-image", "{file}", "new.png", *QUICK),
    ("denoise-image", "{file}", "new.tif", "--quiet", "--window", "4"),
    ("denoise-image", "{file}", "new.webp", *QUICK),
    ("inpaint", "{file}", "mask.png", "new.png", *ONE_ROUND),
    ("inpaint", "{file}", "{file}", "new.png", *ONE_ROUND),
    ("upscale", "{file}", "new.png", *ONE_ROUND),
    ("deblur", "{file}", "kernel.png", "new.tif", *ONE_ROUND),
    ("deblur", "photos/a.png", "{file}", "new.png", *ONE_ROUND),
    ("evaluate", "ezdl.npz", "{folder}", "new.csv", "--iterations", "1"),
    ("denoise", "ezdl.npz", "{folder}", "new.csv", "--repeats", "1", *QUICK),
    ("restore", "ezdl.npz", "{folder}", "new.csv", *ONE_SETTING),
)
READ_MATRIX = (
    ("inpaint", "photos/a.png", "{file}", "new.png", *ONE_ROUND),
    ("deblur", "photos/a.png", "{file}", "new.png", *ONE_ROUND),
)
READ_SAMPLES = (
    ("train", "ezdl", "{file}", "new.npz", *TRAIN),
    ("train", "odl", "{file}", "new.npz", *TRAIN),
    ("train", "rls-dla", "{file}", "new.npz", *TRAIN),
    ("whiten", "{file}", "new.npz"),
    ("info", "{file}"),
)
READ_DICTIONARY = (
    ("evaluate", "{file}", "photos", "new.csv", "--iterations", "2"),
    ("denoise", "{file}", "photos", "new.csv", "--repeats", "1", *QUICK),
    ("restore", "{file}", "photos", "new.csv", "--crop", "32", *ONE_SETTING),
    ("denoise-image", "photos/a.png", "new.png", "--dictionary", "{file}", *QUICK),
    ("inpaint", "photos/a.png", "spots.png", "new.png", "--dictionary", "{file}", *ONE_ROUND),
    ("upscale", "photos/a.png", "new.png", "--dictionary", "{file}", *ONE_ROUND),
    ("deblur", "photos/a.png", "box:3", "new.png", "--dictionary", "{file}", *ONE_ROUND),
    ("show", "{file}", "new.png"),
    ("gabor", "{file}", "new.csv", "--topography", "layout.csv"),
    ("gabor", "{file}", "new.csv"),
    ("compare", "{file}", "{file}", "new.csv"),
    ("compare", "odl.npz", "{file}", "new.csv"),
    ("figure", "rank1-ordinary", "{file}", "new.pdf"),
    ("info", "{file}"),
    ("info", "{file}", "--json"),
)
RESULTS = tuple(
    f"results/{name}.csv"
    for name in (
        *("figures/fig12_envelopes", "figures/fig13_history"),
        *(f"tables/{name}" for name in ("evaluations", "speedups", "properties", "gradient")),
        *(f"tables/{name}" for name in ("epochs", "filtering")),
        *(f"tables/{name}/all" for name in ("gabor", "activity", "topography", "resemblance")),
        *(f"tables/{name}/all" for name in ("reproduction", "iterations", "history")),
        *(f"tables/{name}/all" for name in ("full_gradient", "denoising", "restoration")),
    )
)
REPORTED = (
    ("report", "results", "new.html"),
    ("report", "results", "new.pdf"),
    ("claims", "results", "new.json"),
)

TARGETS = (
    Target(
        "images",
        tuple(f"images/{name}" for name in IMAGES),
        (damage,),
        READ_IMAGE,
        needs=("ezdl.npz", "photos", "mask.png", "kernel.png"),
        weight=30,
    ),
    Target(
        "PNG, valid checksums",
        tuple(f"images/{name}" for name in IMAGES if name.endswith("png")),
        (damage_png,),
        READ_IMAGE,
        needs=("ezdl.npz", "photos", "mask.png", "kernel.png"),
        weight=10,
    ),
    Target(
        "masks and kernels, images",
        ("spots.png", "kernel.png", "kernel-alpha.png"),
        (damage, damage_png),
        READ_MATRIX,
        needs=("photos",),
    ),
    Target(
        "masks and kernels, arrays",
        ("spots.npy", "kernel.npy"),
        (damage, damage_array),
        READ_MATRIX,
        needs=("photos",),
    ),
    Target(
        "archives",
        ("small.zip", "small.tar", "small.tar.gz", "small.tar.bz2", "small.tar.xz"),
        (damage,),
        (("images", "import", "{file}", "new"), ("images", "mcgill", "{file}", "new")),
        weight=8,
    ),
    Target(
        ".npy, arrays",
        ("vectors.npy",),
        (damage, damage_array),
        (("project", "{file}", "new.npy", "--sparseness", "0.8"), *READ_SAMPLES),
        weight=8,
    ),
    Target(
        ".npy, patches",
        ("patches.npy",),
        (damage, damage_array),
        READ_SAMPLES,
        needs=("patches.json",),
    ),
    Target(
        ".json, metadata",
        ("patches.json",),
        (damage, damage_json),
        (
            ("train", "ezdl", "patches.npy", "new.npz", *TRAIN),
            ("whiten", "patches.npy", "new.npz"),
            ("info", "patches.npy"),
            ("info", "patches.json"),
        ),
        needs=("patches.npy",),
    ),
    Target(
        ".json, manifest",
        ("collection/manifest.json",),
        (damage, damage_json),
        (
            ("info", "collection"),
            ("info", "{file}"),
            ("extract", "collection", "new.npy", "--patch-size", "4", "--per-image", "9"),
            ("images", "import", "photos", "collection"),
        ),
        needs=("collection", "photos"),
    ),
    Target(
        ".npz, dictionary",
        ("ezdl.npz", "topographic.npz"),
        (damage, damage_npz, damage_npz),
        READ_DICTIONARY,
        needs=("photos", "odl.npz", "spots.png"),
        weight=10,
    ),
    Target(".npz, whitened", ("whitened.npz",), (damage, damage_npz), READ_SAMPLES, weight=6),
    Target(
        ".npz, checkpoint",
        ("resumed.checkpoint.npz",),
        (damage, damage_npz, damage_npz),
        (
            ("train", "rls-dla", "patches.npy", "resumed.npz", *RESUMED, "--resume"),
            ("info", "{file}"),
        ),
        needs=("patches.npy", "patches.json"),
        weight=6,
    ),
    Target(
        ".csv, drawn",
        tuple(table for _, table in DRAWN),
        (damage, damage_table, damage_table),
        (*(("figure", name, "{file}", "new.pdf") for name, _ in DRAWN), ("info", "{file}")),
        weight=8,
    ),
    Target(
        ".csv, of claims",
        RESULTS,
        (damage, damage_table, damage_table),
        REPORTED,
        needs=("results",),
        weight=6,
    ),
    Target(
        ".json, claims and configuration",
        ("results/claims.json", "results/configuration.json"),
        (damage, damage_json),
        REPORTED[:2],
        needs=("results",),
    ),
    Target(
        "parts of the report",
        (
            "results/figures/fig12_envelopes.png",
            "results/figures/fig12_envelopes.svg",
            "results/dictionaries/ezdl-0.99_0.npz",
            "results/pictures/examples/authors-ezdl-0.99_0.png",
            "results/pictures/restored/ezdl-0.99_0.png",
            "results/configuration.json",
            "results/benchmarks/images.tsv",
        ),
        (damage,),
        REPORTED[:2],
        needs=("results",),
        weight=3,
    ),
    Target(
        ".jsonl, history",
        ("history.jsonl",),
        (damage, damage_lines),
        (
            ("bench", "check", "--history", "{file}"),
            ("bench", "report", "new.html", "--history", "{file}"),
        ),
        codes=(0, 3, 4),
        weight=6,
    ),
    Target(
        ".yaml, profile",
        ("profile.yaml",),
        (damage, damage_yaml, damage_yaml),
        (("plan", "--profile", "profile.yaml"),),
        needs=("Snakefile", "config"),
        weight=2,
    ),
)
