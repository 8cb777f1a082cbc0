"""What the README and the page on the parts show works."""

import re
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]
README, PARTS, BENCH = "README.md", "docs/parts.md", "docs/bench.md"


def blocks(page, language):
    text = (ROOT / page).read_text()
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


@pytest.mark.parametrize("page", [README, PARTS])
def test_python_examples_run(run, page):
    examples = blocks(page, "python")
    assert examples
    for example in examples:
        done = run("python", "-W", "error", "-c", example)
        assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("page", [README, pytest.param(PARTS, marks=pytest.mark.slow)])
def test_commands_run(run, tmp_path, page):
    np.save(tmp_path / "vectors.npy", np.random.default_rng(0).random((10, 20)))
    commands = [line for block in blocks(page, "sh") for line in block.splitlines()]
    ours = [line for line in commands if line.startswith("ezdl ")]
    assert len(ours) >= 4
    for command in ours:
        done = run("bash", "-c", command)
        assert done.returncode == 0, (command, done.stderr)


def test_targets_of_make_exist():
    makefile = (ROOT / "Makefile").read_text()
    pages = "".join((ROOT / page).read_text() for page in (README, PARTS, BENCH, "CONTRIBUTING.md"))
    targets = set(re.findall(r"[`\n]make ([a-z-]+)", pages))
    assert {"figures", "test", "setup"} <= targets
    for target in targets:
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target


def test_links_between_the_pages_lead_somewhere():
    for page in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *ROOT.glob("docs/**/*.md")):
        for target in re.findall(r"\]\(([^)#]+)", page.read_text()):
            assert (page.parent / target).exists(), (page.name, target)


def test_readme_names_every_command():
    from ezdl_cli.cli import COMMANDS

    for name in COMMANDS:
        assert f"`{name}`" in (ROOT / README).read_text(), name
