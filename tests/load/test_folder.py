"""Ten thousand pictures in a folder: memory is that of a thousand, and time is linear."""

import tarfile
import zipfile

import numpy as np
import pytest
from helpers.memory import MIB
from PIL import Image
from skimage import data

FEW, MANY = 1000, 10_000
# Names, entries of the manifest and rows of a table: a few hundred bytes, which Python doubles.
# In a tar, what is known of each member comes on top.
EACH, IN_TAR = 2000, 5000
# The heap of an interpreter is never quite the same from run to run.
SLACK = 8 * MIB
# Ten times the pictures; the start of the interpreter counts on the other side.
LINEAR = 1.2 * MANY / FEW
KINDS = (("png", {}), ("jpg", {"quality": 90}), ("tif", {}), ("bmp", {}), ("webp", {}), ("pgm", {}))


@pytest.fixture(scope="module")
def folders(folder):
    """Small pictures in nested folders, several kinds; the same as archives. By their number."""
    photo, stream = data.camera(), np.random.default_rng(0)
    made = {}
    for count in (FEW, MANY):
        below = made[count] = folder / f"{count}"
        for number in range(count):
            height, width = stream.integers(48, 97, 2)
            top, left = stream.integers(0, 400, 2)
            kind, options = KINDS[number % len(KINDS)]
            path = below / f"{number % 7}" / f"{number % 50}" / f"picture-{number:05}.{kind}"
            path.parent.mkdir(parents=True, exist_ok=True)
            Image.fromarray(photo[top : top + height, left : left + width]).save(path, **options)
        with zipfile.ZipFile(folder / f"{count}.zip", "w", zipfile.ZIP_DEFLATED) as archive:
            for path in sorted(below.rglob("*.*")):
                archive.write(path, path.relative_to(below))
        with tarfile.open(folder / f"{count}.tar.gz", "w:gz", compresslevel=1) as archive:
            archive.add(below, arcname="pictures")
    return made


def check_growth(few, many, each=EACH, factor=LINEAR, counts=(FEW, MANY)):
    """Memory grows by no more than names and entries, and time no faster than the number."""
    growth = (many.memory - few.memory - SLACK) / (counts[1] - counts[0])
    assert growth < each, f"{growth:.0f} bytes for each picture"
    assert many.processor < factor * few.processor


@pytest.mark.parametrize("ending", ["", ".zip", ".tar.gz"])
def test_import_does_not_grow_with_the_number(stands, folder, folders, ending):
    taken = {}
    for count in folders:
        source, target = folder / f"{count}{ending}", folder / f"imported-{count}{ending}"
        words = ("ezdl", "images", "import", source, target)
        taken[count] = stands(f"images import, {count} from {ending or 'a folder'}", *words)
        assert sum(1 for _ in target.rglob("*.png")) == count
        assert f"{count:,}".replace(",", " ") in stands("info", "ezdl", "info", target).stdout
    check_growth(taken[FEW], taken[MANY], IN_TAR if ending == ".tar.gz" else EACH)


def test_replacing_a_collection_does_not_grow_with_the_number(stands, folder, folders):
    taken = {}
    for count in folders:
        words = ("ezdl", "images", "import", folder / f"{count}", folder / f"imported-{count}")
        taken[count] = stands(f"images import, {count} again", *words)
    # The entries of the old ones are in memory as well, and both stand in one manifest for a while.
    check_growth(taken[FEW], taken[MANY], 3 * EACH)


def test_extract_does_not_grow_with_the_number(stands, folder, folders):
    taken = {}
    for count, source in folders.items():
        words = ("extract", source, folder / f"{count}.npy", "--per-image", 10)
        taken[count] = stands(f"extract, {count} pictures", "ezdl", *words)
        assert np.load(folder / f"{count}.npy", mmap_mode="r").shape == (10 * count, 64)
        stands("info", "ezdl", "info", folder / f"{count}.npy")
    check_growth(taken[FEW], taken[MANY])


def test_evaluate_does_not_grow_with_the_number(stands, folder, folders, dictionary):
    taken = {}
    for count, source in folders.items():
        words = ("evaluate", dictionary, source, folder / f"{count}.csv")
        options = ("--sparseness", 0.9, "--iterations", 2)
        taken[count] = stands(f"evaluate, {count} pictures", "ezdl", *words, *options)
        assert len((folder / f"{count}.csv").read_text().splitlines()) == count + 1
    check_growth(taken[FEW], taken[MANY])


def test_denoise_does_not_grow_with_the_number(stands, folder, dictionary):
    """A tenth of the pictures: each of them takes a while."""
    taken = {}
    for count in (FEW // 10, MANY // 10):
        source = folder / f"some-{count}"
        source.mkdir()
        for path in sorted((folder / f"{MANY}").rglob("*.png"))[:count]:
            (source / path.name).hardlink_to(path)
        words = ("denoise", dictionary, source, folder / f"{count}.csv", "--sigma", 25)
        options = ("--repeats", 1, "--window", 4, "--group-size", 16, "--spacing", 16)
        taken[count] = stands(f"denoise, {count} pictures", "ezdl", *words, *options)
    few, many = taken[FEW // 10], taken[MANY // 10]
    check_growth(few, many, counts=(FEW // 10, MANY // 10))
