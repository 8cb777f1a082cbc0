"""The documentation is correct: its examples run, its links and paths exist."""

import re
import sys
import tomllib
from pathlib import Path

import numpy as np
import pytest
import yaml

from ezdl_cli.claims import CLAIMS
from ezdl_cli.claims.claim import VERDICTS
from ezdl_cli.cli import COMMANDS

ROOT = Path(__file__).resolve().parents[2]
README, GUIDE = "README.md", "docs/user_guide.md"
PAGES = sorted(
    path.relative_to(ROOT).as_posix() for path in (*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"))
)


# The examples of the guide take half a minute, its commands several.
by_page = pytest.mark.parametrize("page", [README, pytest.param(GUIDE, marks=pytest.mark.slow)])


def read(page):
    return (ROOT / page).read_text()


def blocks(page, language):
    return re.findall(rf"```{language}\n(.*?)```", read(page), re.DOTALL)


@by_page
def test_python_examples_run(run, page):
    examples = blocks(page, "python")
    assert examples
    for example in examples:
        done = run("python", "-W", "error", "-c", example)
        assert done.returncode == 0, done.stderr


@by_page
def test_commands_run(run, tmp_path, page):
    np.save(tmp_path / "vectors.npy", np.random.default_rng(0).random((10, 20)))
    lines = [line for block in blocks(page, "sh") for line in block.splitlines()]
    commands = [line for line in lines if line.startswith("ezdl ")]
    assert len(commands) >= 4
    for command in commands:
        done = run("bash", "-c", command)
        assert done.returncode == 0, (command, done.stderr)


def test_make_targets_exist():
    targets = set(re.findall(r"[`\n]make ([a-z-]+)", "".join(map(read, PAGES))))
    assert {"figures", "test", "setup"} <= targets
    for target in targets:
        assert re.search(rf"^{target}:", read("Makefile"), re.MULTILINE), target


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_to_existing_files_and_headings(page):
    for target in re.findall(r"\]\(([^)]+)\)", read(page)):
        if target.startswith("https://"):
            continue
        name, _, heading = target.partition("#")
        path = (ROOT / page).parent / name if name else ROOT / page
        assert path.exists(), target
        if heading:
            titles = re.findall(r"^#+ (.*)$", path.read_text(), re.MULTILINE)
            anchors = [re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles]
            assert heading in anchors, target


@pytest.mark.parametrize("page", PAGES)
def test_named_files_exist(page):
    for path in re.findall(r"`((?:ezdl_cli|config|tests|docs)/[\w./-]+)`", read(page)):
        assert (ROOT / path).exists(), path


def test_user_guide_lists_every_command():
    for name in COMMANDS:
        assert f"`{name}`" in read(GUIDE), name


def verdicts(page):
    """Return the verdicts by claim from the rows of a Markdown table."""
    verdict = "|".join(VERDICTS)
    return dict(re.findall(rf"^\| ([A-Z]\d+) \| .*? \| \W*({verdict})\b", read(page), re.MULTILINE))


def test_documented_claims_are_those_of_the_package():
    for claim in CLAIMS:
        assert f"| {claim.id} | {claim.statement} |" in read("docs/claims.md")


def test_documented_verdicts_are_those_of_the_gallery():
    documented = verdicts("docs/claims.md")
    assert list(documented) == [claim.id for claim in CLAIMS]
    assert documented == verdicts("docs/gallery/claims.md")


def test_readme_counts_the_verdicts_and_lists_the_failures():
    documented = verdicts("docs/claims.md")
    found = list(documented.values())
    text = " ".join(read(README).split())
    assert f"{found.count('reproduced')} of {len(found)} claims are reproduced" in text
    assert (
        f"{found.count('not reproduced')} are not, {found.count('undecided')} are undecided" in text
    )
    listed = re.findall(r"\*\*([A-Z]\d+)\*\*", text)
    for verdict in VERDICTS[1:]:
        expected = {name for name, found in documented.items() if found == verdict}
        first = min(listed.index(name) for name in expected)
        assert set(listed[first : first + len(expected)]) == expected
    assert len(listed) == len(found) - found.count("reproduced")


def test_pre_commit_hooks_use_tools_of_the_environment():
    (local,) = yaml.safe_load(read(".pre-commit-config.yaml"))["repos"]
    assert local["repo"] == "local"
    for hook in local["hooks"]:
        folder, _, program = hook["entry"].split()[0].rpartition("/")
        assert (hook["language"], folder) == ("system", ".venv/bin")
        assert Path(sys.executable).with_name(program).exists(), hook["id"]


def test_citation_has_the_version_of_the_package():
    package = tomllib.loads(read("pyproject.toml"))["project"]
    citation = yaml.safe_load(read("CITATION.cff"))
    assert citation["version"] == package["version"]
    assert f"version {package['version']}" in read(README)
