"""A folder of 10 000 images: the memory is that of 1000 images, and the time is linear."""

import tarfile
import zipfile

import numpy as np
import pytest
from helpers.memory import MIB
from PIL import Image
from skimage import data

FEW, MANY = 1000, 10_000
# Bytes per image for its name, its entry in the manifest and rows of a table: a few hundred, and as
# much again as Python objects. In a tar archive, the records of its members are added.
EACH, IN_TAR = 2000, 5000
# The heap of the interpreter varies from run to run.
SLACK = 8 * MIB
# Ten times the images, with a tolerance; the startup of the interpreter is a constant.
LINEAR = 1.2 * MANY / FEW
KINDS = (("png", {}), ("jpg", {"quality": 90}), ("tif", {}), ("bmp", {}), ("webp", {}), ("pgm", {}))


@pytest.fixture(scope="module")
def folders(folder):
    """Create small images of several formats in nested folders and archives; folders by count."""
    photo, stream = data.camera(), np.random.default_rng(0)
    made = {}
    for count in (FEW, MANY):
        below = made[count] = folder / f"{count}"
        for number in range(count):
            height, width = stream.integers(48, 97, 2)
            top, left = stream.integers(0, 400, 2)
            kind, options = KINDS[number % len(KINDS)]
            path = below / f"{number % 7}" / f"{number % 50}" / f"image-{number:05}.{kind}"
            path.parent.mkdir(parents=True, exist_ok=True)
            Image.fromarray(photo[top : top + height, left : left + width]).save(path, **options)
        with zipfile.ZipFile(folder / f"{count}.zip", "w", zipfile.ZIP_DEFLATED) as archive:
            for path in sorted(below.rglob("*.*")):
                archive.write(path, path.relative_to(below))
        with tarfile.open(folder / f"{count}.tar.gz", "w:gz", compresslevel=1) as archive:
            archive.add(below, arcname="images")
    return made


def check_growth(few, many, each=EACH, factor=LINEAR, counts=(FEW, MANY)):
    """Check that memory grows only by names and records, and time at most linearly."""
    growth = (many.memory - few.memory - SLACK) / (counts[1] - counts[0])
    assert growth < each, f"{growth:.0f} bytes per image"
    assert many.processor < factor * few.processor


@pytest.mark.parametrize("ending", ["", ".zip", ".tar.gz"])
def test_memory_of_import_does_not_grow_with_the_number_of_images(stands, folder, folders, ending):
    taken = {}
    for count in folders:
        source, target = folder / f"{count}{ending}", folder / f"imported-{count}{ending}"
        words = ("ezdl", "images", "import", source, target)
        taken[count] = stands(f"images import, {count} from {ending or 'a folder'}", *words)
        assert sum(1 for _ in target.rglob("*.png")) == count
        assert f"{count:,}".replace(",", " ") in stands("info", "ezdl", "info", target).stdout
    check_growth(taken[FEW], taken[MANY], IN_TAR if ending == ".tar.gz" else EACH)


def test_memory_of_replacing_does_not_grow_with_the_number_of_images(stands, folder, folders):
    taken = {}
    for count in folders:
        words = ("ezdl", "images", "import", folder / f"{count}", folder / f"imported-{count}")
        taken[count] = stands(f"images import, {count} again", *words)
    # The records of the old images are in memory too, and one manifest lists both for a while.
    check_growth(taken[FEW], taken[MANY], 3 * EACH)


def test_memory_of_extract_does_not_grow_with_the_number_of_images(stands, folder, folders):
    taken = {}
    for count, source in folders.items():
        words = ("extract", source, folder / f"{count}.npy", "--per-image", 10)
        taken[count] = stands(f"extract, {count} images", "ezdl", *words)
        assert np.load(folder / f"{count}.npy", mmap_mode="r").shape == (10 * count, 64)
        stands("info", "ezdl", "info", folder / f"{count}.npy")
    check_growth(taken[FEW], taken[MANY])


def test_memory_of_evaluate_does_not_grow_with_the_number_of_images(
    stands, folder, folders, dictionary
):
    taken = {}
    for count, source in folders.items():
        words = ("evaluate", dictionary, source, folder / f"{count}.csv")
        options = ("--sparseness", 0.9, "--iterations", 2)
        taken[count] = stands(f"evaluate, {count} images", "ezdl", *words, *options)
        assert len((folder / f"{count}.csv").read_text().splitlines()) == count + 1
    check_growth(taken[FEW], taken[MANY])


def test_memory_of_denoise_does_not_grow_with_the_number_of_images(stands, folder, dictionary):
    """Use a tenth of the images, because denoising is slow."""
    taken = {}
    for count in (FEW // 10, MANY // 10):
        source = folder / f"some-{count}"
        source.mkdir()
        for path in sorted((folder / f"{MANY}").rglob("*.png"))[:count]:
            (source / path.name).hardlink_to(path)
        words = ("denoise", dictionary, source, folder / f"{count}.csv", "--sigma", 25)
        options = ("--repeats", 1, "--window", 4, "--group-size", 16, "--spacing", 16)
        taken[count] = stands(f"denoise, {count} images", "ezdl", *words, *options)
    few, many = taken[FEW // 10], taken[MANY // 10]
    check_growth(few, many, counts=(FEW // 10, MANY // 10))
