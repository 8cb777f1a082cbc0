"""`ezdl claims`."""

import json
import os

import pytest
from helpers.claim_verdicts import IDS, YES
from helpers.synthetic_results import Results

from ezdl_cli.claims.claim_formats import to_markdown


@pytest.fixture
def results(tmp_path):
    return Results().write(tmp_path / "results")


def test_all_formats_have_all_claims_and_the_counts_are_printed(run, run_here, results, tmp_path):
    for name, runs in (("claims.md", run), ("claims.json", run_here), ("claims.html", run_here)):
        done = runs("ezdl", "claims", "results", name)
        assert (done.returncode, done.stdout) == (0, "")
        counts = "57 of 57 claims reproduced, 0 not, 0 undecided, 0 not measured."
        assert done.stderr == f"{counts}\n"
    facts = json.loads((tmp_path / "claims.json").read_text())
    verdicts = {one["id"]: one["verdict"] for one in facts}
    assert verdicts == dict.fromkeys(IDS, YES)
    lines = (tmp_path / "claims.md").read_text().splitlines()
    assert [line.split(" | ")[0] for line in lines[4:]] == [f"| {name}" for name in IDS]
    page = (tmp_path / "claims.html").read_text()
    cards = (f'<article class="claim reproduced" id="{name}"' for name in IDS)
    assert all(card in page for card in cards)
    assert "thumbnail-" not in page  # no figure is on this page


def test_one_call_writes_several_formats(run_here, refused, results, tmp_path):
    assert run_here("ezdl", "claims", "results", "alone.md").returncode == 0
    assert run_here("ezdl", "claims", "results", "both.md", "both.json").returncode == 0
    assert (tmp_path / "both.md").read_text() == (tmp_path / "alone.md").read_text()
    assert len(json.loads((tmp_path / "both.json").read_text())) == len(IDS)
    message = refused("ezdl", "claims", "results", "new.md", "new.txt")
    assert "new.txt: the name of the output must end with .md, .json or .html" in message
    assert not (tmp_path / "new.md").exists()


DAMAGES = {
    "no rows": lambda text: text.splitlines()[0] + "\n",
    "empty": lambda text: "",
    "a row is truncated": lambda text: text.rstrip().rpartition(",")[0],
    "not text": lambda text: "\0\udcff",
    "words for numbers": lambda text: text.replace("0.7", "much"),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_table_is_reported_and_keeps_the_existing_file(refused, results, damage):
    table = results / "tables" / "history" / "all.csv"
    text = DAMAGES[damage](table.read_text())
    table.write_bytes(text.encode("utf-8", "surrogateescape"))
    (results / "claims.md").write_text("older")
    message = refused("ezdl", "claims", "results", "results/claims.md")
    assert "history" in message or "claim S" in message or "column" in message
    assert (results / "claims.md").read_text() == "older"
    assert sorted(os.listdir(results)) == ["claims.md", "tables"]


def test_a_missing_column_leaves_claims_open_and_is_named(run_here, results, tmp_path):
    table = results / "tables" / "history" / "all.csv"
    table.write_text(table.read_text().replace("ssim", "quality"))
    assert run_here("ezdl", "claims", "results", "c.md").returncode == 0
    (line,) = [one for one in (tmp_path / "c.md").read_text().splitlines() if "| S3 |" in one]
    assert "| not measured | a table has no column ssim" in line


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["nowhere", "c.md"], "nowhere"),
        (["results/tables", "c.md"], "results/tables"),
        (["results", "nowhere", "c.md"], "nowhere"),
        (["results", "c.txt"], ".md"),
        (["note.csv", "c.md"], "note.csv"),
        (["results", "nowhere/c.md"], "nowhere"),
        (["c.md"], "RESULTS"),
    ],
)
def test_usage_errors_are_one_line(refused, results, tmp_path, arguments, word):
    (tmp_path / "note.csv").write_text("a\n1\n")
    assert word in refused("ezdl", "claims", *arguments)


def test_vertical_bars_are_escaped_in_markdown():
    from ezdl_cli.claims import CLAIMS, Finding, Measure

    text = to_markdown([Finding(CLAIMS[0], (Measure("a | b", 1.0),))])
    assert "a \\| b" in text
