"""The report is complete and needs no other file."""

import base64
import gzip
import hashlib
import re
import shutil
from html.parser import HTMLParser
from io import BytesIO

import numpy as np
import pytest
from helpers.claim_verdicts import IDS
from PIL import Image

from ezdl_cli import io
from ezdl_cli.claims import findings
from ezdl_cli.claims.claim_formats import measure_text
from ezdl_cli.figures import FIGURES, stem
from ezdl_cli.pages.rendering import TEMPLATES
from ezdl_cli.provenance import surroundings

SCRIPT = TEMPLATES / "report" / "report.js"
KINDS = {"svg": "image/svg+xml", "png": "image/png"}
NOISE_LEVELS = (10.0, 50.0)
OUTSIDE = {"src", "href", "srcset", "action", "data", "poster", "background"}


class Page(HTMLParser):
    """List all tags with their attributes and the text that follows."""

    def __init__(self, path):
        super().__init__()
        self.tags = []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        self.tags.append([tag, dict(attributes), ""])

    def handle_data(self, text):
        if self.tags and text.strip():  # not the line breaks between tags
            self.tags[-1][2] += text

    def all(self, tag, **attributes):
        """Attributes and text of all tags with a name."""
        return [
            (found, text)
            for name, found, text in self.tags
            if name == tag and attributes.items() <= found.items()
        ]

    def within(self, identifier, tag):
        """Tags from the one with this id to the next `tag`."""
        start = next(i for i, one in enumerate(self.tags) if one[1].get("id") == identifier)
        ends = [i for i in range(start + 1, len(self.tags)) if self.tags[i][0] == tag]
        return self.tags[start : ends[0] if ends else None]


def content(address):
    """Media type and bytes of a data URI."""
    kind, _, data = address.removeprefix("data:").partition(";base64,")
    return kind, base64.b64decode(data, validate=True)


@pytest.fixture(scope="module")
def parsed(page):
    return Page(page)


def test_every_figure_has_its_caption_and_the_exact_bytes_of_its_files(parsed, results):
    assert len(FIGURES) == 21
    for name, about in FIGURES.items():
        parts = parsed.within(name, "figure")
        text = "".join(part[2] for part in parts)
        assert f"Figure {about.number}. {about.title}." in text
        shown, files = shown_and_saved(parts)
        expected = {
            path.suffix[1:]: path.read_bytes()
            for path in (results / "figures").glob(f"{stem(name)}.*")
        }
        kind = "svg" if name != "history" else "png"
        assert shown == (KINDS[kind], expected[kind])
        assert files == {one: expected[one] for one in ("pdf", "png", "csv")}
        cells = {part[2] for part in parts if part[0] == "th"}
        assert cells == set(expected["csv"].decode().partition("\n")[0].strip().split(","))
    compressed = [link for link, _ in parsed.all("a") if link.get("download", "").endswith(".gz")]
    assert [link["download"] for link in compressed] == ["fig01_sparseness.csv.gz"]


def shown_and_saved(parts):
    """The image that a figure shows, and the files that it offers, uncompressed."""
    (image,) = [part[1] for part in parts if part[0] == "img"]
    files = {}
    for tag, attributes, _ in parts:
        if tag == "a" and "href" in attributes:
            _, data = content(attributes["href"])
            name = attributes["download"]
            is_compressed = name.endswith(".gz")
            kind = name.removesuffix(".gz").rpartition(".")[2]
            files[kind] = gzip.decompress(data) if is_compressed else data
    return content(image["src"]), files


def test_comma_in_a_cell_does_not_break_the_preview(parsed):
    parts = parsed.within("flowchart", "figure")
    rows = [[]]
    for tag, _, text in parts:
        if tag == "tr":
            rows.append([])
        elif tag in ("td", "th"):
            rows[-1].append(text)
    assert [len(row) for row in rows] == [0, 2, 2, 2]
    assert rows[2][1].endswith("and, <i>") and rows[3][0] == "0.123457"


def test_every_claim_has_a_card_that_links_to_its_figures(parsed):
    cards = [attributes for attributes, _ in parsed.all("article")]
    assert [card["id"] for card in cards] == list(IDS)
    identifiers = [attributes["id"] for _, attributes, _ in parsed.tags if "id" in attributes]
    assert len(identifiers) == len(set(identifiers))
    inside = {link["href"] for link, _ in parsed.all("a") if link.get("href", "").startswith("#")}
    assert inside <= {f"#{one}" for one in identifiers} and "#history" in inside


def test_strip_and_counts_agree_with_the_verdicts_of_the_cards(parsed):
    verdicts = {
        card["id"]: card["class"].removeprefix("claim ") for card, _ in parsed.all("article")
    }
    cells = {
        link["href"][1:]: link["class"].removeprefix("cell ")
        for link, _ in parsed.all("a")
        if link.get("class", "").startswith("cell ")
    }
    assert cells == verdicts and len(set(verdicts.values())) > 1
    radios = [one["value"] for one, _ in parsed.all("input", name="verdict")]
    assert radios == ["", "reproduced", "not-reproduced", "undecided", "not-measured"]
    (count,) = [text for one, text in parsed.all("p", **{"class": "count"})]
    assert count.startswith(f"{list(verdicts.values()).count('reproduced')} of 57 claims")


def test_every_measured_number_has_a_chart_with_a_description(parsed, results):
    measures = [one for finding in findings([results]) for one in finding.measures]
    charts = [svg["aria-label"] for svg, _ in parsed.all("svg") if "aria-label" in svg]
    assert sorted(charts) == sorted(measure_text(one) for one in measures if one.value is not None)


def test_denoised_images_are_compared_with_the_same_noisy_image(parsed, results):
    folder = results / "pictures" / "examples"
    ours, other = (
        io.load_restoration_examples(folder / f"authors-{name}_0.png")
        for name in ("ezdl-0.99", "other")
    )
    section = parsed.within("denoised-images", "section")
    images = [one for tag, one, _ in section if one.get("class") in ("after", "before")]
    shown = [pixels(one["src"]) for one in images]
    expected = [crop for one in ours for crop in (one.crops[2], one.crops[1])]
    assert all(map(np.array_equal, shown, expected)) and len(shown) == len(expected)
    choices = [(one["data-image"], text) for _, one, text in section if "data-image" in one]
    texts = [text.strip() for _, text in choices]
    assert texts == ["other: 31.50 dB", "Original"] * len(NOISE_LEVELS)
    others = [crop for one in other for crop in (one.crops[2], one.crops[0])]
    assert all(
        np.array_equal(pixels(data), crop) for (data, _), crop in zip(choices, others, strict=True)
    )


def test_restored_images_are_compared_with_the_degraded_one_and_the_baseline(parsed, results):
    ours, other = (
        io.load_restoration_examples(results / "pictures" / "restored" / f"{name}_0.png")[0]
        for name in ("ezdl-0.99", "other")
    )
    section = parsed.within("restored-images", "section")
    shown = [pixels(one["src"]) for tag, one, _ in section if tag == "img"]
    assert len(shown) == 2 and all(map(np.array_equal, shown, (ours.crops[3], ours.crops[1])))
    assert "50 % missing" in "".join(text for *_, text in section)
    choices = [(one["data-image"], text.strip()) for _, one, text in section if "data-image" in one]
    texts = [text for _, text in choices]
    assert texts == ["other: 31.50 dB", "Biharmonic inpainting: 25.25 dB", "Original"]
    expected = (other.crops[3], ours.crops[2], ours.crops[0])
    assert all(
        np.array_equal(pixels(data), crop)
        for (data, _), crop in zip(choices, expected, strict=True)
    )


def pixels(address):
    """Pixels of the image in a data URI."""
    return np.array(Image.open(BytesIO(content(address)[1])))


def test_all_other_sections_show_their_content(parsed):
    parts = parsed.within("dictionaries", "section")
    captions = [text.strip() for tag, _, text in parts if tag == "b"]
    assert captions == ["ezdl-0.99", "whitened-topographic"]
    images = [content(one["src"])[1] for tag, one, _ in parts if tag == "img"]
    assert all(np.ptp(np.array(Image.open(BytesIO(png)))) > 0 for png in images)
    cells = [text for tag, _, text in parsed.within("times", "section") if tag == "td"]
    assert cells[:6] == ["tables/gabor", "2", "42.5", "22.5", "6.0", "100"]
    assert cells[6:8] == ["images", "1"]
    bars = [one["style"] for one, _ in parsed.all("i") if "style" in one]
    assert bars == ["width: 100.0%", "width: 2.4%"]
    text = "".join(part[2] for part in parsed.within("configuration", "details"))
    # Values of --configuration replace those that the run has stored.
    assert 'profile: "tiny"' in text and "  epochs: 7" in text and "<b> & ümlaut" in text
    assert "cores: 3" in text and 'images: "builtin"' in text
    text = "".join(part[2] for part in parsed.within("versions", "section"))
    assert all(name in text and version in text for name, version in surroundings().items())
    text = "".join(part[2] for part in parsed.within("set-up", "pre"))
    assert "training epochs" in text and "1000" in text


def test_photographs_are_named_if_they_are_beside_the_results(run_here, results, tmp_path):
    shutil.copytree(results, tmp_path / "results" / "tiny")
    images = tmp_path / "data" / "tiny" / "images"
    images.mkdir(parents=True)
    entries = [
        io.ManifestEntry(file=f"{name}/{i}.png", sha256="0" * 64)
        for name, n in (("train", 4), ("denoise", 2))
        for i in range(n)
    ]
    io.save_manifest(images, io.Manifest(tuple(entries), "photographs <of> mine"))
    assert run_here("ezdl", "report", "results/tiny", "r.html").returncode == 0
    facts = [text for _, text in Page(tmp_path / "r.html").all("dd")]
    assert "photographs <of> mine: 4 to learn from, 2 to denoise" in facts


def test_page_loads_nothing(parsed):
    addresses = [
        value for _, attributes, _ in parsed.tags for k, value in attributes.items() if k in OUTSIDE
    ]
    assert len(addresses) > 40
    assert all(address.startswith(("data:", "#")) for address in addresses)
    assert not {"iframe", "object", "embed", "base"} & {tag for tag, _, _ in parsed.tags}
    for style in [text for _, text in parsed.all("style")]:
        assert not re.search(r"@import|https?:|url\((?!data:)", style)


def test_scripts_are_those_of_the_package_and_the_browser_runs_no_others(parsed, page):
    scripts = [text for _, text in parsed.all("script")]
    assert scripts == [SCRIPT.read_text(encoding="utf-8")]
    assert not re.search(r"fetch|XMLHttp|import\(|https?:", scripts[0])
    assert not re.search(r'\son\w+="', page.read_text(encoding="utf-8"))
    (policy,) = [one["content"] for one, _ in parsed.all("meta") if "http-equiv" in one]
    digest = base64.b64encode(hashlib.sha256(scripts[0].encode()).digest()).decode()
    assert "default-src 'none'" in policy and f"script-src 'sha256-{digest}'" in policy


def test_missing_results_are_left_out(run_here, results, tmp_path):
    shutil.copytree(results, tmp_path / "part")
    for kind in ("dictionaries", "pictures", "benchmarks"):
        shutil.rmtree(tmp_path / "part" / kind)
    (tmp_path / "part" / "figures" / "fig13_history.png").unlink()
    done = run_here("ezdl", "report", "part", "r.html")
    assert (done.returncode, done.stderr) == (0, "")
    parsed = Page(tmp_path / "r.html")
    sections = [attributes["id"] for attributes, _ in parsed.all("section")]
    assert sections == ["verdicts", "claims", "figures", "set-up"]
    assert len(parsed.all("img")) == 20 + 1  # figures, and the one that enlarged pictures use
    assert not parsed.all("a", href="#history")


@pytest.mark.parametrize(
    ("damaged", "content"),
    [
        ("figures/fig02_auxiliary.csv", b""),
        ("figures/fig02_auxiliary.csv", b"\xff\xfe\0"),
        ("figures/fig02_auxiliary.png", b"broken"),
        ("pictures/examples/authors-other_0.png", b"broken"),
        ("configuration.json", b"[1]"),
        ("configuration.json", b"{"),
        ("tables/history/all.csv", b"curve,abscissa\n"),
        ("dictionaries/ezdl-0.99_0.npz", b"broken"),
        ("dictionaries/ezdl-0.99_0.npz", None),
    ],
)
def test_unreadable_result_gives_one_line_and_keeps_the_older_report(
    refused, results, tmp_path, damaged, content
):
    shutil.copytree(results, tmp_path / "tiny")
    if content is None:
        odd = io.Dictionary(np.ones((4, 15), np.float32))
        io.save_dictionary(tmp_path / "tiny" / damaged, odd)
    else:
        (tmp_path / "tiny" / damaged).write_bytes(content)
    (tmp_path / "r.html").write_text("older")
    assert damaged in refused("ezdl", "report", "tiny", "r.html")
    assert (tmp_path / "r.html").read_text() == "older"


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["nowhere", "r.html"], "nowhere"),
        ([".", "r.html"], "tables"),
        (["tiny", "nowhere/r.html"], "nowhere"),
        (["tiny", "r.html", "--configuration", "{"], "--configuration"),
        (["tiny", "r.html", "--configuration", "[1]"], "--configuration"),
    ],
)
def test_invalid_use_gives_one_line(refused, tmp_path, arguments, word):
    (tmp_path / "tiny" / "tables").mkdir(parents=True)
    assert word in refused("ezdl", "report", *arguments)
    assert not (tmp_path / "r.html").exists()
