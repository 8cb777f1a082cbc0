"""Small valid files of every kind that `ezdl` reads, written by the commands themselves."""

import json
import shutil
import subprocess
import sys
import tarfile
import zipfile

import numpy as np
import tifffile
from helpers.bench_runs import synthetic_runs
from helpers.exif_data import camera_exif
from helpers.synthetic_results import Results
from PIL import Image, ImageCms
from skimage import data

from ezdl_cli import io

FEW = ("--atoms", "9", "--samples-per-epoch", "40", "--quiet")
RESUMED = ("--epochs", "3", "--checkpoint-every", "2", *FEW)


def make_files(server, folder, project):
    """Create all files in a folder.

    Commands run in the server process itself, so that its forks have their modules loaded.
    """

    def ezdl(*arguments):
        answer = server.run(folder, arguments, here=True)
        assert answer["code"] in (0, 4), (arguments, answer)

    make_images(folder / "images")
    one = folder / "photos"
    one.mkdir()
    photo = Image.fromarray(data.camera()[200:264, 180:244])
    photo.save(one / "a.png")
    make_archives(folder)
    ezdl("images", "import", "photos", "collection")
    for name in ("small.tar.xz", "small.zip"):
        ezdl("images", "import", name, f"from-{name}")
    (folder / "mcgill" / "Foliage").mkdir(parents=True)
    for name in ("Foliage", "Flowers", "Animals"):
        (folder / "mcgill" / name).mkdir(exist_ok=True)
        photo.save(folder / "mcgill" / name / "m.tif")
    ezdl("images", "mcgill", "mcgill", "sets", "--partial")
    ezdl("extract", "collection", "patches.npy", "--patch-size", "4", "--per-image", "60")
    ezdl("whiten", "patches.npy", "whitened.npz", "--components", "6")
    for name, *more in (("ezdl", "--sparseness", "0.75"), ("odl",), ("rls-dla",)):
        ezdl("train", name, "patches.npy", f"{name}.npz", "--epochs", "2", *FEW, *more)
    topographic = ("--inference", "topographic", "--epochs", "2", *FEW)
    ezdl("train", "ezdl", "whitened.npz", "topographic.npz", *topographic)
    make_checkpoint(folder)
    vectors = np.random.default_rng(0).standard_normal((6, 16))
    for kind in (np.float32, np.float64):
        np.save(folder / "vectors.npy", vectors.astype(kind))
        ezdl("project", "vectors.npy", "projected.npy", "--sparseness", "0.8")
    ezdl("show", "ezdl.npz", "atoms.png")
    ezdl("compare", "odl.npz", "ezdl.npz", "resemblance.csv")
    ezdl("evaluate", "ezdl.npz", "photos", "quality.csv", "--sparseness", "0.7,0.8")
    quick = ("--sigma", "5,20", "--repeats", "1", "--window", "4")
    ezdl("denoise", "ezdl.npz", "photos", "denoised.csv", *quick, "--examples", "examples.png")
    few = ("--factors", "2,3", "--blurs", "1", "--missing", "50", "--examples", "shown.png")
    ezdl("restore", "ezdl.npz", "photos", "restored.csv", *few)
    ezdl("denoise-image", "photos/a.png", "clean.png", "--sigma", "20", "--window", "4")
    make_masks_and_kernels(folder)
    for image, mask in (("images/rgb.png", "mask.png"), ("photos/a.png", "spots.npy")):
        ezdl("inpaint", image, mask, "restored.png", "--rounds", "1")
        ezdl("upscale", image, "restored.png", "--rounds", "1")
        ezdl("deblur", image, "kernel.png", "restored.png", "--rounds", "1")
    ezdl("gabor", "ezdl.npz", "fits.csv")
    ezdl("projections", "sparseness", "sparseness.csv", "--points", "9")
    ezdl("projections", "auxiliary", "auxiliary.csv")
    ezdl("projections", "evaluations", "evaluations.csv", "--exponents", "2:4", "--vectors", "3")
    ezdl("projections", "speedups", "speedups.csv", "--exponents", "2:4")
    for name, table in DRAWN:
        ezdl("figure", name, table, f"drawn-{name}.pdf")
    ezdl("figure", "whitened-topographic", "topographic.npz", "atoms.pdf")
    make_results(ezdl, folder)
    make_history(folder / "history.jsonl")
    ezdl("bench", "check", "--history", "history.jsonl")
    ezdl("bench", "report", "bench.html", "--history", "history.jsonl")
    for name in ("ezdl.npz", "patches.npy", "quality.csv", "collection"):
        ezdl("info", name)
    (folder / "profile.yaml").write_bytes((project / "config" / "ci.yaml").read_bytes())
    shutil.copy(project / "Snakefile", folder)
    shutil.copytree(project / "config", folder / "config")


DRAWN = (
    ("sparseness", "sparseness.csv"),
    ("auxiliary", "auxiliary.csv"),
    ("evaluations", "evaluations.csv"),
    ("speedups", "speedups.csv"),
    ("gabor", "fits.csv"),
    ("phases", "fits.csv"),
    ("iterations", "quality.csv"),
    ("ezdl", "quality.csv"),
    ("envelopes", "quality.csv"),
    ("history", "quality.csv"),
    ("denoising", "denoised.csv"),
    ("super-resolution", "restored.csv"),
)


def make_images(folder):
    """Create images of all kinds: bit depths, colours, transparency, compressions, layouts."""
    folder.mkdir()
    colours = data.astronaut()[100:124, 200:224]
    grey, deep = colours[..., 1], colours.astype(np.uint16) * 257
    image, flat = Image.fromarray(colours), Image.fromarray(grey)
    image.save(folder / "rgb.png")
    image.convert("P").save(folder / "palette.png", transparency=3)
    image.convert("RGBA").save(folder / "rgba.png")
    flat.save(folder / "grey.png")
    flat.convert("1").save(folder / "bits.png")
    Image.fromarray(deep[..., 0]).save(folder / "deep.png")
    from ezdl_cli.images.png16 import write_png16

    write_png16(folder / "deep-rgb.png", deep)
    write_png16(folder / "deep-alpha.png", deep[..., :2])
    for packing in ("raw", "tiff_lzw", "tiff_adobe_deflate", "packbits", "jpeg", "group4"):
        source = flat.convert("1") if packing == "group4" else image
        source.save(folder / f"{packing}.tif", compression=packing)
    tifffile.imwrite(folder / "deep.tif", deep, photometric="rgb")
    tifffile.imwrite(folder / "tiles.tif", deep, photometric="rgb", tile=(16, 16), compression=8)
    tifffile.imwrite(
        folder / "planes.tif", deep.transpose(2, 0, 1), photometric="rgb", planarconfig="separate"
    )
    tifffile.imwrite(folder / "big.tif", grey, bigtiff=True, byteorder=">")
    turned = Image.Exif()
    turned[274] = 6
    image.save(folder / "turned.jpg", exif=turned, quality=90)
    make_images_with_metadata(folder, image, deep)
    flat.save(folder / "progressive.jpg", progressive=True)
    image.convert("CMYK").save(folder / "cmyk.jpg")
    image.save(folder / "lossy.webp")
    image.convert("RGBA").save(folder / "lossless.webp", lossless=True)
    image.save(folder / "rgb.bmp")
    image.convert("P").save(folder / "palette.bmp")
    flat.save(folder / "grey.pgm")
    image.save(folder / "rgb.ppm")
    (folder / "text.pgm").write_text("P2\n# plain\n24 24\n255\n" + " ".join(map(str, grey.flat)))


def make_images_with_metadata(folder, image, deep):
    """Create images with EXIF data, resolution and profile, and some with several frames."""
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    exif, about = camera_exif(), {"icc_profile": profile, "dpi": (300, 150)}
    for name in ("exif.png", "exif.jpg"):
        image.save(folder / name, exif=exif, **about)
    image.save(folder / "exif.webp", exif=exif)
    image.save(folder / "exif.tif", exif=camera_exif(interoperability=False), **about)
    from ezdl_cli.images.png16 import write_png16

    write_png16(folder / "deep-exif.png", deep, profile, (300, 150), exif.removeprefix(b"Exif\0\0"))
    frames = {"save_all": True, "append_images": [image.rotate(180)]}
    image.save(folder / "several.jpg", "MPO", exif=exif, **frames)
    for name in ("frames.png", "frames.webp"):
        image.save(folder / name, **frames)
    with tifffile.TiffWriter(folder / "pages.tif") as file:
        file.write(deep, photometric="rgb", resolution=(300, 150))
        file.write(deep[::2, ::2], photometric="rgb", subfiletype=1)


def make_masks_and_kernels(folder):
    """Create a mask for images of 24 × 24 pixels, masks for the photograph, and kernels."""
    rng = np.random.default_rng(0)
    for name, side in (("mask", 24), ("spots", 64), ("kernel", 5)):
        weights = rng.random((side, side))
        weights = weights if name == "kernel" else weights < 0.3
        np.save(folder / f"{name}.npy", weights)
        Image.fromarray(np.uint8(255 * weights)).save(folder / f"{name}.png")
    Image.open(folder / "kernel.png").convert("LA").save(folder / "kernel-alpha.png")


def make_archives(folder):
    """Create archives of two images."""
    names = ("images/grey.png", "photos/a.png")
    for packing in ("", "gz", "bz2", "xz"):
        with tarfile.open(
            folder / f"small.tar{packing and '.' + packing}", f"w:{packing}"
        ) as archive:
            for name in names:
                archive.add(folder / name, name)
    with zipfile.ZipFile(folder / "small.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for name in names:
            archive.write(folder / name, name)


def make_checkpoint(folder):
    """Write a checkpoint of a training that ends before its dictionary is saved."""
    program = (
        "from ezdl_cli import cli;"
        "from ezdl_cli.commands._shared.resumable_training import ResumableTraining;"
        "ResumableTraining.finish = lambda run, W: None; cli.main()"
    )
    command = ("train", "rls-dla", "patches.npy", "resumed.npz", *RESUMED)
    subprocess.run([sys.executable, "-c", program, *command], cwd=folder, check=True)


def make_results(ezdl, folder):
    """Create a folder of results, with claims and a report."""
    results = Results().write(folder / "results")
    for name in ("dictionaries", "benchmarks", "figures", "pictures/examples", "pictures/restored"):
        (results / name).mkdir(parents=True)
    io.save_run_configuration(results, {"cores": 2, "training": {"epochs": 2}})
    examples = results / "pictures" / "examples" / "authors-ezdl-0.99_0.png"
    examples.write_bytes((folder / "examples.png").read_bytes())
    shown = results / "pictures" / "restored" / "ezdl-0.99_0.png"
    shown.write_bytes((folder / "shown.png").read_bytes())
    (results / "dictionaries" / "ezdl-0.99_0.npz").write_bytes((folder / "ezdl.npz").read_bytes())
    (results / "benchmarks" / "images.tsv").write_text("s\tmax_rss\tcpu_time\n1.5\t100\t3\n")
    ezdl("claims", "results", "results/claims.json")
    ezdl("claims", "results", "claims.md")
    for name in ("envelopes", "history"):
        stem = {"envelopes": "fig12_envelopes", "history": "fig13_history"}[name]
        for kind in ("png", "svg", "csv"):
            content = (folder / f"drawn-{name}.{kind}").read_bytes()
            (results / "figures" / f"{stem}.{kind}").write_bytes(content)
    (results / "configuration.json").write_text(json.dumps({"cores": 1, "training": {"epochs": 7}}))
    ezdl("report", "results", "report.html")


def make_history(path):
    """Write a benchmark history of a few runs."""
    path.write_text("".join(json.dumps(run) + "\n" for run in synthetic_runs(8)))
