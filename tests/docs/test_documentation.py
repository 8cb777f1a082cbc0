"""The documentation is correct: its links and paths exist, its numbers are those of the run."""

import re
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

from ezdl_cli.claims import CLAIMS
from ezdl_cli.claims.claim import VERDICTS

ROOT = Path(__file__).resolve().parents[2]
README = "README.md"
GENERATED = {"commands.md"}  # its headings are in the site only; building it checks links to them
PAGES = sorted(
    path.relative_to(ROOT).as_posix() for path in (*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"))
)


def read(page):
    return (ROOT / page).read_text()


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
        if heading and path.name not in GENERATED:
            titles = re.findall(r"^#+ (.*)$", path.read_text(), re.MULTILINE)
            anchors = [re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles]
            assert heading in anchors, target


@pytest.mark.parametrize("page", PAGES)
def test_named_files_exist(page):
    for path in re.findall(r"`((?:ezdl_cli|config|tests|docs)/[\w./-]+)`", read(page)):
        assert (ROOT / path).exists(), path


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


def test_citation_and_instructions_have_the_version_of_the_package():
    package = tomllib.loads(read("pyproject.toml"))["project"]
    citation = yaml.safe_load(read("CITATION.cff"))
    assert citation["version"] == package["version"]
    assert f"version {package['version']}" in read(README)
    assert f"ezdl-{package['version']}-py3-none-any.whl" in read("docs/index.md")
