"""Every command accepts or rejects file names with unusual characters, and never fails."""

import os

import pytest
from helpers.fuzzing.campaign import OUTPUT, what_is_wrong
from helpers.fuzzing.healthy import FEW
from helpers.written_files import contents

NAMES = (
    b"-a 'b' \"c\"",
    b"--help",
    b"new\nline\ttab",
    b"caf\xe9 \xff",
    "ü漢\u202e\x1b[31m".encode(),
    b"$(touch executed)`touch executed`; touch executed;",
    b"{input}{0}%s%d*?[x]",
    b".hidden",
    b"a" * 200,
)
QUICK = ("--repeats", "1", "--sigma", "20", "--window", "4")
# Inputs are called {x} with an extension, outputs {x}- with an extension.
COMMANDS = (
    ("extract", "--per-image", "9", "--patch-size", "4", "--", "{x}", "{x}-.npy"),
    ("images", "import", "--", "{x}", "{x}-"),
    ("images", "import", "--", "{x}.zip", "{x}-"),
    ("info", "--", "{x}.npy"),
    ("info", "--", "{x}.npz"),
    ("info", "--", "{x}.csv"),
    ("whiten", "--", "{x}.npy", "{x}-.npz"),
    ("train", "ezdl", *FEW, "--epochs", "2", "--snapshot-epochs", "1", "--", "{x}.npy", "{x}-.npz"),
    ("evaluate", "--save-images", "{x}-", "--iterations", "1", "--", "{x}.npz", "{x}", "{x}-.csv"),
    ("denoise", "--picture", "{x}-.png", *QUICK, "--", "{x}.npz", "{x}", "{x}-.csv"),
    ("denoise", "--examples", "{x}-.png", *QUICK, "--", "{x}.npz", "{x}", "{x}-.csv"),
    ("restore", "--task", "super-resolution", "--factors", "2", "--", "{x}.npz", "{x}", "{x}-.csv"),
    ("denoise-image", *QUICK[2:], "--", "{x}.png", "{x}-.png"),
    ("inpaint", "--rounds", "1", "--", "{x}.png", "{x}.png", "{x}-.png"),
    ("upscale", "--rounds", "1", "--", "{x}.png", "{x}-.png"),
    ("deblur", "--rounds", "1", "--", "{x}.png", "box:3", "{x}-.png"),
    ("deblur", "--", "{x}.png", "{x}", "{x}-.png"),
    ("project", "--sparseness", "0.8", "--", "{x}.npy", "{x}-.npy"),
    ("gabor", "--", "{x}.npz", "{x}-.csv"),
    ("compare", "--", "{x}.npz", "{x}.npz", "{x}-.csv"),
    ("show", "--", "{x}.npz", "{x}-.png"),
    ("figure", "ezdl", "--", "{x}.csv", "{x}-.pdf"),
    ("figure", "rank1-ordinary", "--", "{x}.npz", "{x}-.pdf"),
    ("bench", "check", "--history", "{x}.jsonl"),
    ("bench", "report", "--history", "{x}.jsonl", "--", "{x}-.html"),
    # Rejected: missing, or of another kind.
    ("info", "--", "{x}.txt"),
    ("train", "odl", "--", "{x}", "{x}-.npz"),
    ("evaluate", "--", "{x}.npz", "{x}.npy", "{x}-.csv"),
    ("plan", "--profile", "{x}"),
    ("figure", "{x}.", "{x}-.pdf"),
)
SOURCES = {
    ".npy": "patches.npy",
    ".npz": "ezdl.npz",
    ".csv": "quality.csv",
    ".zip": "small.zip",
    ".png": "photos/a.png",
    ".jsonl": "history.jsonl",
    "/a.png": "photos/a.png",
}


@pytest.mark.parametrize("name", NAMES, ids=repr)
def test_commands_accept_or_reject_unusual_file_names(server, healthy, tmp_path, name):
    for number, command in enumerate(COMMANDS):
        folder = tmp_path / str(number)
        lay_out(healthy, folder, name)
        before = contents(folder, OUTPUT)
        words = [word.replace("{x}", os.fsdecode(name)) for word in command]
        wrong = what_is_wrong(server.run(folder, words), folder, before, (0, 4))
        assert wrong is None, words


def lay_out(healthy, folder, name):
    """Copy valid files to this name with various extensions."""
    for ending, source in SOURCES.items():
        path = folder / (os.fsdecode(name) + ending)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes((healthy / source).read_bytes())
