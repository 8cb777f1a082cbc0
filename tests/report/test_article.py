"""The article has all claims and figures, is the same each time, and refuses damaged results."""

import json
import math
import re
import shutil
import sys
import unicodedata
from dataclasses import replace
from pathlib import Path

import pypdf
import pytest
from helpers.claim_verdicts import IDS
from helpers.synthetic_results import Results
from PIL import Image

from ezdl_cli.claims import NOT_REPRODUCED, UNDECIDED
from ezdl_cli.claims.claim import VERDICTS
from ezdl_cli.figures import FIGURES, stem
from ezdl_cli.report import article_pdf
from ezdl_cli.report.article_claims import claim_content, typeset
from ezdl_cli.report.article_data import SECTIONS, article_data
from ezdl_cli.report.results_folder import load_results

CONFIGURATION = {"profile": "tiny", "images": "builtin", "training": {"epochs": 7}}
SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="70" height="30"><path d="M0 0H70V30Z"/></svg>'
FOOTER = re.compile(
    r"\[Re\] Efficient Dictionary Learning with Sparseness-Enforcing Projections\s*\d+ / \d+"
)


def letters(text):
    """Return only letters and digits, as symbols, line breaks and hyphenation differ in a PDF."""
    text = FOOTER.sub("", text.replace("\n", " "))
    return "".join(filter(str.isalnum, unicodedata.normalize("NFKC", text)))


def text_of(path):
    return letters(" ".join(page.extract_text() for page in pypdf.PdfReader(path).pages))


def written(folder):
    """Return the article on a folder of results."""
    results = load_results(folder)
    return article_pdf.article_pdf(folder, results)


@pytest.fixture(scope="module")
def failing(results, tmp_path_factory):
    """Results whose dictionaries are poor: claims with each verdict, and figures as SVG."""
    folder = tmp_path_factory.mktemp("article") / "tiny"
    shutil.copytree(results, folder)
    for name in FIGURES:
        (folder / "figures" / f"{stem(name)}.svg").write_text(SVG)
    (folder / "configuration.json").write_text(json.dumps(CONFIGURATION))
    shutil.rmtree(folder / "tables" / "activity")
    for table in (folder / "tables" / "gabor").glob("*.csv"):
        lines = table.read_text().splitlines()
        column = lines[0].split(",").index("r2")
        rows = [line.split(",") for line in lines[1:]]
        for row in rows:
            row[column] = "0.1"
        table.write_text("\n".join([lines[0], *map(",".join, rows)]) + "\n")
    return folder


@pytest.fixture(scope="module")
def found(failing):
    return load_results(failing).findings


@pytest.fixture(scope="module")
def article(failing):
    path = failing.parent / "article.pdf"
    path.write_bytes(written(failing))
    return path


@pytest.fixture(scope="module")
def text(article):
    return text_of(article)


def test_article_is_written_by_the_command_with_the_same_bytes_each_time(
    run_here, failing, article, tmp_path
):
    for name in ("a.pdf", "b.PDF"):
        done = run_here("ezdl", "report", failing, name)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
        assert (tmp_path / name).read_bytes() == article.read_bytes()


def test_article_has_the_verdicts_of_all_claims(text, found):
    verdicts = [one.verdict for one in found]
    assert set(verdicts) >= {"reproduced", NOT_REPRODUCED, "not measured"}
    n, failed, undecided, missing = (verdicts.count(one) for one in VERDICTS)
    verb = "is" if n == 1 else "are"
    assert letters(f"In this run, {n} {verb} reproduced, {failed}") in text
    assert letters(f"all {n} {failed} {undecided} {missing}") in text
    rows = text[text.index("3Results") :]
    for one in found:
        assert letters(typeset(one.claim.statement)) in rows, one.claim.id
    assert [one.claim.id for one in found] == list(IDS)


def test_claims_that_fail_are_discussed_with_condition_and_explanation(text, found):
    discussed = [one for one in found if one.verdict in (NOT_REPRODUCED, UNDECIDED)]
    assert discussed
    for finding in discussed:
        claim = finding.claim
        assert text.count(letters(typeset(claim.statement))) >= 2, claim.id
        assert letters(f"Condition: {typeset(claim.condition)}")[:60] in text, claim.id
        assert letters(typeset(claim.explanation))[:60] in text, claim.id


def test_every_claim_and_figure_belongs_to_one_section():
    assert {name[0] for name in IDS} == {one.letter for one in SECTIONS}
    shown = [name for one in SECTIONS for row in one.figures for name in row]
    assert shown == list(FIGURES)


def test_every_figure_has_its_number_and_caption(text):
    for about in FIGURES.values():
        assert letters(f"Figure {about.number} {typeset(about.caption)}")[:50] in text


def test_differences_from_the_paper_are_listed(text, failing):
    assert letters("training epochs 7 1000") in text
    assert letters("photographs built-in McGill database") in text
    other = {"training": {"epochs": 1000}}
    content = article_data(failing, replace(load_results(failing), configuration=other))
    assert content["configured"] and content["differences"] == []


def test_fonts_are_those_of_typst_and_no_symbol_is_missing(article):
    reader = pypdf.PdfReader(article)
    fonts = {
        font.get_object()["/BaseFont"].partition("+")[2]
        for page in reader.pages
        for font in page["/Resources"]["/Font"].values()
    }
    assert fonts and all(name.startswith(("Libertinus", "NewCM", "DejaVu")) for name in fonts)
    extracted = "".join(page.extract_text() for page in reader.pages)
    assert not {"\0", "\N{REPLACEMENT CHARACTER}"} & set(extracted)
    assert set("✓✗≥≤−σηρ") <= set(extracted)


def test_templates_need_no_packages_from_the_network():
    sources = [path.read_text(encoding="utf-8") for path in article_pdf.TEMPLATES.glob("*.typ")]
    assert len(sources) > 8 and not any("@preview" in source for source in sources)


def test_missing_results_are_left_out(run_here, failing, tmp_path):
    for name, kinds in {
        "part": ("dictionaries", "pictures", "benchmarks", "configuration.json", "figures"),
        "none": ("dictionaries", "pictures", "benchmarks", "configuration.json", "tables"),
    }.items():
        shutil.copytree(failing, tmp_path / name)
        for kind in kinds:
            path = tmp_path / name / kind
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        done = run_here("ezdl", "report", name, f"{name}.pdf")
        assert (done.returncode, done.stderr) == (0, "")
    without_figures, without_tables = (text_of(tmp_path / f"{one}.pdf") for one in ("part", "none"))
    assert letters("Figure 12 Reproduction quality") not in without_figures
    assert letters("Figure 12 Reproduction quality") in without_tables
    assert letters("The configuration of this run is not part of its results") in without_figures
    assert letters("all 0 0 0 57") in without_tables


def test_results_without_svg_are_shown_by_png(failing, tmp_path):
    shutil.copytree(failing, tmp_path / "old")
    for name in FIGURES:
        (tmp_path / "old" / "figures" / f"{stem(name)}.svg").unlink()
        png = tmp_path / "old" / "figures" / f"{stem(name)}.png"
        Image.open(png).crop((0, 0, 70, 30)).save(png)
    path = tmp_path / "a.pdf"
    path.write_bytes(written(tmp_path / "old"))
    images = [image for page in pypdf.PdfReader(path).pages for image in page.images]
    assert len(images) == len(FIGURES)


@pytest.mark.parametrize(
    ("damaged", "content"),
    [
        ("figures/fig02_auxiliary.svg", b"<svg"),
        ("figures/fig02_auxiliary.svg", b"\xff\xfe\0"),
        ("tables/reproduction/all.csv", b"curve,abscissa\n"),
        ("dictionaries/ezdl-0.99_0.npz", b"broken"),
    ],
)
def test_unreadable_result_gives_one_line_and_keeps_the_older_article(
    refused, failing, tmp_path, damaged, content
):
    shutil.copytree(failing, tmp_path / "tiny")
    (tmp_path / "tiny" / damaged).write_bytes(content)
    (tmp_path / "a.pdf").write_text("older")
    assert damaged in refused("ezdl", "report", "tiny", "a.pdf")
    assert (tmp_path / "a.pdf").read_text() == "older"


@pytest.mark.parametrize(
    "configuration",
    [
        {"training": 3},
        {"training": {"epochs": "#panic()"}},
        {"training": {"epochs": math.inf, "grid_side": 1e200, "samples_per_epoch": None}},
        {"profile": ["x"], "cores": {}},
    ],
)
@pytest.mark.parametrize("target", ["a.pdf", "a.html"])
def test_any_configuration_is_accepted(run_here, failing, configuration, target):
    text = json.dumps(configuration)
    done = run_here("ezdl", "report", failing, target, "--configuration", text)
    assert (done.returncode, done.stderr) == (0, "")


def test_folder_with_an_undecodable_name_is_accepted(failing, tmp_path):
    folder = tmp_path / "odd\udcff # $x$ \\"
    shutil.copytree(failing, folder)
    assert written(folder).startswith(b"%PDF")


def test_missing_typst_is_reported_with_what_to_install(refused, monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "typst", None)
    Results().write(tmp_path / "tiny")
    assert "needs typst (the extra pdf): pip install typst" in refused(
        "ezdl", "report", "tiny", "a.pdf"
    )
    assert not (tmp_path / "a.pdf").exists()


def test_figure_of_the_results_is_not_overwritten(refused, failing):
    pdf = Path(failing) / "figures" / f"{stem('history')}.pdf"
    pdf.write_bytes(b"%PDF")
    assert "overwrite" in refused("ezdl", "report", failing, pdf)
    pdf.unlink()


def test_verdicts_from_one_run_or_few_seeds_are_marked_in_the_tables(found, article):
    extracted = "".join(page.extract_text() for page in pypdf.PdfReader(article).pages)
    caveats = [claim_content(one)["caveat"] for one in found]
    numbers = {mark: caveats.count(name) for name, mark in (("one run", "¹"), ("thin", "†"))}
    assert sum(numbers.values()) > 0
    for mark, number in numbers.items():
        assert len(re.findall(rf"[✓✗?–]\s?{mark}", extracted)) == number, mark


def test_commit_is_shown_as_it_is(failing, tmp_path, monkeypatch):
    commit = "72455de10e93e7d938986e3fa21824e27b1d11a7"
    monkeypatch.setattr("ezdl_cli.report.article_data.current_commit", lambda: commit)
    path = tmp_path / "a.pdf"
    path.write_bytes(written(failing))
    assert commit in text_of(path)


def test_apostrophes_and_formulas_are_typeset():
    assert typeset("Hoyer's width in x' for σ_H = 0.75, 30 000") == (
        "Hoyer’s width in x′ for σ_H\u00a0=\u00a00.75, 30\u00a0000"
    )
