"""Errors name their cause: the option whose value does not suit the data, or the unusable file."""

import re

import numpy as np
import pytest
from helpers.smooth_image import smooth_image
from PIL import Image

from ezdl_cli import io
from ezdl_cli.cli import COMMANDS, cli

TRAIN = "--atoms 9 --epochs 2 --samples-per-epoch 20 --quiet"
DENOISE = "denoise raw.npz photos t.csv --repeats 1 --sigma 25 --quiet"
# What is out of range, as the end of the command, by the start of the command.
OPTIONS = {
    f"train ezdl patches.npy new.npz {TRAIN}": (
        *("--sparseness 0", "--sparseness 1", "--sparseness nan", "--atom-sparseness 1"),
        *("--atom-sparseness 0", "--atom-rank 0", "--atom-rank 5", "--step-size 0"),
        *("--step-size nan", "--noise -1", "--noise-decay 1.5", "--noise-decay nan"),
        *("--atoms 41", "--atoms 1", "--epochs 0", "--samples-per-epoch 0", "--seed -1"),
        *("--snapshot-epochs 1,3", "--checkpoint-every 0", "--activity-epochs 1"),
    ),
    f"train ezdl patches.npy new.npz {TRAIN} --inference topographic": (
        *("--grid 2x4", "--grid 9", "--pooling 2", "--pooling 5"),
    ),
    f"train ezdl patches.npy new.npz {TRAIN} --inference rank": (
        *("--code-rank 4", "--code-rank 0", "--grid 4x4", "--gradient full"),
    ),
    f"train ezdl patches.npy new.npz {TRAIN} --activity a.csv": (
        *("--activity-epochs 3", "--samples-per-epoch 99"),
    ),
    f"train odl patches.npy new.npz {TRAIN}": (
        *("--lambda 0", "--lambda -1", "--lambda nan", "--lambda 1e9", "--batch-size 0"),
    ),
    f"train rls-dla patches.npy new.npz {TRAIN}": (
        *("--nonzeros 0", "--nonzeros 10", "--forgetting 0", "--forgetting 1.1"),
        *("--forgetting nan", "--forgetting-samples 0"),
    ),
    "whiten patches.npy new.npz": ("--components 0", "--components 16", "--components 17"),
    "whiten few.npy new.npz": ("--components 5",),
    "project patches.npy new.npy --sparseness 0.5": (
        *("--sparseness 0", "--sparseness 1", "--sparseness nan", "--norm 0", "--norm nan"),
    ),
    "extract photos new.npy": (
        *("--patch-size 33", "--patch-size 1", "--patch-size 10001", "--per-image 0"),
    ),
    "extract photos/a.png photos/b.png new.npy": ("--patch-size 9999",),
    "evaluate raw.npz photos t.csv --quiet": (
        *("--sparseness 0", "--sparseness 0.5,1", "--iterations 0", "--crop 11", "--crop 0"),
    ),
    DENOISE: (
        *("--sigma -1", "--sigma 1,nan", "--repeats 0", "--crop 10", "--window -1"),
        *("--window 1001", "--stride 0", "--spacing 1001", "--group-size 0", "--least 0"),
        *("--distance -1", "--confidence 1", "--noise-share 0", "--tile 0"),
    ),
    "restore raw.npz photos t.csv --quiet": (
        *("--factors 1", "--factors 2,5", "--blurs 0", "--blurs nan", "--blurs 11", "--noise -1"),
        *("--noise nan", "--missing 0", "--missing 50,100", "--crop 0", "--crop 10"),
    ),
    "denoise-image photos/a.png new.png --quiet": (
        *("--sigma -1", "--sigma nan", "--sigma 1e9", "--window 1001", "--stride 0"),
        *("--group-size 0", "--confidence 0", "--noise-share 2.1", "--tile 0"),
    ),
    "inpaint photos/a.png mask.png new.png --quiet": (
        *("--sigma -1", "--sigma nan", "--sigma 1e9", "--threshold 1", "--threshold -0.1"),
        *("--rounds 0", "--rounds 10001", "--first-sigma 0", "--last-sigma nan"),
    ),
    "upscale photos/a.png new.png --quiet": (
        *("--factor 1", "--factor 5", "--sigma -1", "--sigma nan", "--sigma 1e9"),
        *("--rounds 0", "--first-sigma 1001", "--last-sigma 0"),
    ),
    "deblur photos/a.png box:3 new.png --quiet": (
        *("--sigma -1", "--sigma nan", "--sigma 1e9"),
        *("--rounds 0", "--first-sigma nan", "--last-sigma 0.01"),
    ),
    "gabor raw.npz t.csv": ("--permutations 1",),
    "show raw.npz new.png": ("--scale 0", "--scale 99999"),
    "bench epochs patches.npy t.csv": ("--atoms 41", "--atoms 1", "--atoms 8", "--repeats 0"),
    "bench filtering separable.npz t.csv": ("--image-size 3", "--image-size 0"),
    "projections evaluations t.csv": (
        *("--exponents 1:3", "--exponents 3:2", "--sparseness 1", "--vectors 1"),
    ),
    "plan": ("--cores 0",),
}
CASES = [(command, value) for command, values in OPTIONS.items() for value in values]
# Files that are unusable whatever the options are, and what the message says of them.
FILES = (
    (f"train ezdl photos/a.png new.npz {TRAIN}", "photos/a.png: cannot be read as samples"),
    ("whiten photos/a.png new.npz", "photos/a.png: cannot be read as samples, which are .npy or"),
    (f"train odl zeros.npy new.npz {TRAIN}", "zeros.npy: all samples are zero"),
    (f"train odl huge.npy new.npz {TRAIN}", "huge.npy: scale the samples down"),
    ("project single.npy new.npy --sparseness 0.5", "single.npy: "),
    ("project patches.npy new.csv --sparseness 0.5", "new.csv: the name must end with .npy"),
    ("extract photos/a.png raw.npz new.npy", "raw.npz: not an image (TIFF, JPEG, PNG, "),
    ("images import raw.npz new", "raw.npz: not an image (TIFF, JPEG, PNG, "),
    ("info photos/a.png", "photos/a.png: not a file that ezdl can describe; pass a .npy"),
    ("show patches.npy new.png", "patches.npy: cannot be read as an ezdl dictionary (.npz)"),
    ("figure evaluations raw.npz new.pdf", "raw.npz: not a valid CSV table"),
    ("gabor rows.npz t.csv", "rows.npz: vectors of 12 entries are not square patches"),
    ("denoise constant.npz photos t.csv", "constant.npz: must have atoms that are not constant"),
    (
        "denoise-image photos/a.png new.png --dictionary constant.npz",
        "constant.npz: must have atoms that are not constant",
    ),
    (
        "inpaint photos/a.png mask.png new.png --dictionary constant.npz",
        "constant.npz: must have atoms that are not constant",
    ),
    (
        "upscale photos/a.png new.png --dictionary rows.npz",
        "rows.npz: vectors of 12 entries are not square patches",
    ),
    (
        "deblur photos/a.png box:3 new.png --dictionary constant.npz",
        "constant.npz: must have atoms that are not constant",
    ),
    ("inpaint photos/a.png patches.npy new.png", "patches.npy: the mask has 16 × 40 pixels"),
    ("inpaint photos/a.png white.png new.png", "white.png: marks all pixels as missing"),
    ("deblur photos/a.png box:33 new.png", "box:33: the kernel has 33 × 33 pixels"),
    ("deblur photos/a.png patches.npy new.png", "patches.npy: the kernel has 16 × 40 pixels"),
)


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    """Return a folder with files of every kind."""
    folder = tmp_path_factory.mktemp("data")
    rng = np.random.default_rng(0)
    np.save(folder / "patches.npy", rng.integers(0, 256, (40, 16), dtype=np.uint8))
    np.save(folder / "few.npy", rng.standard_normal((5, 9)))
    np.save(folder / "zeros.npy", np.zeros((40, 16)))
    np.save(folder / "huge.npy", 1e300 * rng.standard_normal((40, 16)))
    np.save(folder / "single.npy", np.ones((4, 1)))
    atoms = rng.standard_normal((9, 16))
    rank1 = np.einsum("ni,nj->nij", atoms[:, :4], atoms[:, 4:8]).reshape(9, 16)
    named = {"raw": atoms, "separable": rank1, "rows": atoms[:, :12], "constant": np.ones((9, 16))}
    for name, W in named.items():
        W = (W / np.linalg.norm(W, axis=1, keepdims=True)).astype(np.float32)
        io.save_dictionary(folder / f"{name}.npz", io.Dictionary(W))
    mask = np.zeros((32, 40), np.uint8)
    Image.fromarray(mask + np.uint8(255)).save(folder / "white.png")
    mask[10:14, 20:25] = 255
    Image.fromarray(mask).save(folder / "mask.png")
    (folder / "photos").mkdir()
    for name in "ab":
        Image.fromarray(smooth_image(32, 40)).save(folder / "photos" / f"{name}.png")
    return folder


@pytest.fixture
def files(data, tmp_path):
    """Link the files in the folder in which the command runs."""
    for path in data.iterdir():
        (tmp_path / path.name).symlink_to(path)
    return {path.name for path in tmp_path.iterdir()}


@pytest.mark.parametrize(("command", "value"), CASES, ids=map(" ".join, CASES))
def test_option_is_blamed_for_a_value_out_of_range(refused, files, tmp_path, command, value):
    name = value.split()[0]
    message = refused("ezdl", *command.split(), *value.split())
    blame = rf"ezdl: ({name} (must|needs) |Invalid value for '{name}': )"
    assert re.match(blame, message), message
    assert {path.name for path in tmp_path.iterdir()} == files


@pytest.mark.parametrize(("command", "start"), FILES, ids=[command for command, _ in FILES])
def test_file_is_blamed_for_its_content(refused, files, command, start):
    assert start in refused("ezdl", *command.split())


def test_every_command_with_numbers_is_tested():
    tested = {command.split()[0] for command in OPTIONS}
    numeric = {"integer", "float", "N,N,...", "pair"}
    for name in COMMANDS:
        command = cli.get_command(None, name)
        parts = getattr(command, "commands", {"": command}).values()
        kinds = {option.type.name for part in parts for option in part.params}
        # `ezdl compare` has only a seed, and `ezdl run` the options of `ezdl plan`.
        assert name in tested or name in ("compare", "run") or not kinds & numeric, name
