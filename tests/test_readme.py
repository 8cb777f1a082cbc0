"""What the README shows works."""

import re
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text()


def blocks(language):
    return re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)


def test_python_examples_run(run):
    examples = blocks("python")
    assert examples
    for example in examples:
        done = run("python", "-W", "error", "-c", example)
        assert done.returncode == 0, done.stderr


def test_commands_run(run, tmp_path):
    np.save(tmp_path / "vectors.npy", np.random.default_rng(0).random((10, 20)))
    commands = [line for block in blocks("sh") for line in block.splitlines()]
    ours = [line for line in commands if line.startswith("ezdl ")]
    assert len(ours) >= 4
    for command in ours:
        done = run("bash", "-c", command)
        assert done.returncode == 0, (command, done.stderr)


def test_targets_of_make_exist():
    makefile = (ROOT / "Makefile").read_text()
    targets = set(re.findall(r"[`\n]make ([a-z-]+)", README))
    assert {"figures", "test", "setup"} <= targets
    for target in targets:
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target
