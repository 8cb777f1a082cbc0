"""The report is complete and needs no other file."""

import base64
import gzip
import re
import shutil
from html.parser import HTMLParser
from io import BytesIO

import numpy as np
import pytest
from helpers.claim_verdicts import IDS
from PIL import Image

from ezdl_cli import io
from ezdl_cli.figures import FIGURES, stem
from ezdl_cli.provenance import surroundings

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


def test_every_figure_has_its_caption_and_the_exact_bytes_of_its_table(parsed, results):
    assert len(FIGURES) == 18
    for name, about in FIGURES.items():
        parts = parsed.within(name, "figure")
        text = "".join(part[2] for part in parts)
        assert f"Figure {about.number}." in text and about.caption in text
        (image,) = [part[1] for part in parts if part[0] == "img"]
        png = (results / "figures" / f"{stem(name)}.png").read_bytes()
        assert content(image["src"]) == ("image/png", png) and about.number in image["alt"]
        (link,) = [part[1] for part in parts if part[0] == "a"]
        kind, table = content(link["href"])
        assert link["download"].removesuffix(".gz") == f"{stem(name)}.csv"
        if kind == "application/gzip":
            assert link["download"].endswith(".gz")
            table = gzip.decompress(table)
        assert table == (results / "figures" / f"{stem(name)}.csv").read_bytes()
        cells = {part[2] for part in parts if part[0] == "th"}
        assert cells == set(table.decode().partition("\n")[0].strip().split(","))
    compressed = [link for link, _ in parsed.all("a") if link.get("download", "").endswith(".gz")]
    assert [link["download"] for link in compressed] == ["fig01_sparseness.csv.gz"]


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


def test_every_claim_has_a_row_that_links_to_its_figures(parsed):
    rows = [attributes["id"] for attributes, _ in parsed.all("tr") if "id" in attributes]
    assert rows == list(IDS)
    labels = [attributes.get("data-label") for attributes, _ in parsed.all("td")]
    assert labels.count("verdict") == labels.count("measured") == 57
    identifiers = [attributes["id"] for _, attributes, _ in parsed.tags if "id" in attributes]
    assert len(identifiers) == len(set(identifiers))
    inside = {link["href"] for link, _ in parsed.all("a") if link["href"].startswith("#")}
    assert inside <= {f"#{one}" for one in identifiers} and "#history" in inside


def test_all_other_sections_show_their_content(parsed, results):
    parts = parsed.within("dictionaries", "section")
    captions = [text.strip() for tag, _, text in parts if tag == "figcaption"]
    assert captions == ["ezdl-0.99", "whitened-topographic"]
    images = [content(one["src"])[1] for tag, one, _ in parts if tag == "img"]
    assert all(np.ptp(np.array(Image.open(BytesIO(png)))) > 0 for png in images)
    parts = parsed.within("denoised-images", "section")
    assert [text.strip() for tag, _, text in parts if tag == "figcaption"] == ["odl-2"]
    cells = [text for tag, _, text in parsed.within("times", "section") if tag == "td"]
    assert cells[:6] == ["tables/gabor", "2", "42.5", "22.5", "6.0", "100"]
    assert cells[6:8] == ["images", "1"]
    text = "".join(part[2] for part in parsed.within("configuration", "section"))
    assert 'profile: "tiny"' in text and "  epochs: 7" in text and "<b> & ümlaut" in text
    text = "".join(part[2] for part in parsed.within("versions", "section"))
    assert all(name in text and version in text for name, version in surroundings().items())


def test_page_loads_nothing_and_runs_no_scripts(parsed, page):
    addresses = [
        value for _, attributes, _ in parsed.tags for k, value in attributes.items() if k in OUTSIDE
    ]
    assert len(addresses) > 40
    assert all(address.startswith(("data:", "#")) for address in addresses)
    assert not {"script", "iframe", "object", "embed", "base"} & {tag for tag, _, _ in parsed.tags}
    for style in [text for _, text in parsed.all("style")]:
        assert not re.search(r"@import|url\(|https?:", style)
    assert not re.search(r'\son\w+="', page.read_text(encoding="utf-8"))


def test_missing_results_are_left_out(run_here, results, tmp_path):
    shutil.copytree(results, tmp_path / "part")
    for kind in ("dictionaries", "pictures", "benchmarks"):
        shutil.rmtree(tmp_path / "part" / kind)
    (tmp_path / "part" / "figures" / "fig13_history.png").unlink()
    done = run_here("ezdl", "report", "part", "r.html")
    assert (done.returncode, done.stderr) == (0, "")
    parsed = Page(tmp_path / "r.html")
    sections = [attributes["id"] for attributes, _ in parsed.all("section")]
    assert sections == ["claims", "figures", "versions"]
    assert len(parsed.all("img")) == 17
    assert not parsed.all("a", href="#history")


@pytest.mark.parametrize(
    ("damaged", "content"),
    [
        ("figures/fig02_auxiliary.csv", b""),
        ("figures/fig02_auxiliary.csv", b"\xff\xfe\0"),
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
