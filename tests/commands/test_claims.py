"""`ezdl claims` through its real entry point."""

import json
import os
import shutil

import pytest
from helpers.synthetic_results import IDS, N_ATOMS, NO, OPEN, YES, Results, verdicts

from ezdl_cli.claims.writing import to_markdown


@pytest.fixture
def results(tmp_path):
    return Results().write(tmp_path / "results")


def test_all_formats_have_all_claims_and_standard_error_counts_them(
    run, run_here, results, tmp_path
):
    for name, runs in (("claims.md", run), ("claims.json", run_here), ("claims.html", run_here)):
        done = runs("ezdl", "claims", "results", name)
        assert (done.returncode, done.stdout) == (0, "")
        assert done.stderr == "35 claims: 35 reproduced, 0 not reproduced, 0 not measured.\n"
    facts = json.loads((tmp_path / "claims.json").read_text())
    assert [(one["id"], one["verdict"]) for one in facts] == [(name, YES) for name in IDS]
    lines = (tmp_path / "claims.md").read_text().splitlines()
    assert [line.split(" | ")[0] for line in lines[4:]] == [f"| {name}" for name in IDS]
    page = (tmp_path / "claims.html").read_text()
    assert all(f'<tr class="reproduced" id="{name}">' in page for name in IDS)
    assert "href=" not in page.replace('href="data:,"', "")  # no figure is on this page


def test_what_the_first_folder_leaves_out_is_taken_from_the_next(tmp_path):
    first, second = Results(), Results()
    first.curves["denoising"]["odl"][5] = 50.0
    first.fits = {"gabor-0.7": first.fits["gabor-0.7"], "whitened": first.fits["whitened"]}
    second.fits["whitened"]["f"] = [0.9] * N_ATOMS
    second.fits["gabor-0.7"]["r2"] = [0.1] * N_ATOMS
    folders = [first.write(tmp_path / "1"), second.write(tmp_path / "2")]
    (folders[0] / "figures" / "fig13_history.csv").unlink()
    shutil.rmtree(folders[0] / "tables" / "topography")
    alone, both = verdicts(folders[0]), verdicts(*folders)
    assert alone["D8"] == alone["D11"] == alone["S3"] == OPEN
    assert both["D8"] == both["D11"] == both["S3"] == YES
    assert alone["N2"] == both["N2"] == NO and verdicts(folders[1])["N2"] == YES
    assert alone["D4"] == both["D4"] == YES and verdicts(folders[1])["D4"] == NO


def test_dictionaries_of_different_folders_are_not_compared(tmp_path):
    first, second = Results(), Results()
    first.fits = {"whitened": first.fits["whitened"]}
    del second.fits["whitened"]
    folders = [first.write(tmp_path / "1"), second.write(tmp_path / "2")]
    assert verdicts(*folders)["D10"] == OPEN


def test_the_least_seed_counts(tmp_path):
    results = Results()
    good = results.fits["rank1-ordinary"]
    results.write(tmp_path)
    folder = tmp_path / "tables" / "gabor"
    (folder / "rank1-ordinary_0.csv").rename(folder / "rank1-ordinary_9.csv")
    results.fits = {"rank1-ordinary": good | {"rank_ratio": [0.5] * N_ATOMS}}
    results.write(tmp_path)
    (folder / "rank1-ordinary_0.csv").rename(folder / "rank1-ordinary_10.csv")
    assert verdicts(tmp_path)["D11"] == YES


DAMAGES = {
    "no rows": lambda text: text.splitlines()[0] + "\n",
    "empty": lambda text: "",
    "a row is cut": lambda text: text.rstrip().rpartition(",")[0],
    "not text": lambda text: "\0\udcff",
    "a column is missing": lambda text: text.replace("ssim", "quality"),
    "words for numbers": lambda text: text.replace("0.7", "much"),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_table_gives_one_line_and_the_older_file_stays(refused, results, damage):
    table = results / "figures" / "fig13_history.csv"
    text = DAMAGES[damage](table.read_text())
    table.write_bytes(text.encode("utf-8", "surrogateescape"))
    (results / "claims.md").write_text("older")
    message = refused("ezdl", "claims", "results", "results/claims.md")
    assert "fig13_history.csv" in message or "claim S" in message
    assert (results / "claims.md").read_text() == "older"
    assert sorted(os.listdir(results)) == ["claims.md", "figures", "tables"]


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["nowhere", "c.md"], "nowhere"),
        (["results/tables", "c.md"], "results/tables"),
        (["results", "nowhere", "c.md"], "nowhere"),
        (["results", "c.txt"], ".md"),
        (["results", "nowhere/c.md"], "nowhere"),
        (["c.md"], "RESULTS"),
    ],
)
def test_wrong_use_gives_one_line(refused, results, arguments, word):
    assert word in refused("ezdl", "claims", *arguments)


def test_a_bar_in_a_text_does_not_break_the_table():
    from ezdl_cli.claims import CLAIMS, Finding, Measure

    text = to_markdown([Finding(CLAIMS[0], (Measure("a | b", 1.0),))])
    assert "a \\| b" in text
