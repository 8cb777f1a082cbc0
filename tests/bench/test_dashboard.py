"""The benchmark dashboard: the newest run, trend lines, and regressions."""

import re
from xml.etree import ElementTree

import pytest
from helpers.bench_runs import synthetic_run, synthetic_runs

from ezdl_cli.bench.dashboard import dashboard
from ezdl_cli.bench.regressions import find_regressions
from ezdl_cli.bench.trend import HEIGHT, WIDTH


def rows(page, style="bench times"):
    """Return (cells, is_worse) for each row of the tables of a class."""
    found = []
    for table in re.findall(rf'<table class="{style}">(.*?)</table>', page, re.DOTALL):
        for attributes, row in re.findall(r"<tr([^>]*)>(.*?)</tr>", table, re.DOTALL):
            cells = re.findall(r"<td[^>]*>(.*?)</td>", row, re.DOTALL)
            if cells:
                found.append((cells, "worse" in attributes))
    return found


def trends(page):
    drawn = re.findall(r'<svg class="trend" .*?</svg>', page, re.DOTALL)
    return [ElementTree.fromstring(one) for one in drawn]


def headings(page, style):
    """Return the headings of the columns of each table of a class."""
    tables = re.findall(rf'<table class="{style}">(.*?)</table>', page, re.DOTALL)
    return [re.findall(r"<th[^>]*>(.*?)</th>", table) for table in tables]


@pytest.fixture(scope="module")
def page():
    return dashboard(
        [*synthetic_runs(12), synthetic_run(50, slower=1.5), synthetic_run(51, slower=1.5)]
    )


def test_newest_run_is_shown_with_ratios_to_limits_and_peers(page):
    ((ours, _),) = rows(page)
    assert ours[0] == "ours" and ours[1] == "3 s ± 1%"
    assert ours[2] == "3 × np.sort" and ours[3] == "0.375 × SPAMS &lt;b&gt;"
    assert float(ours[4].removesuffix(" ×")) == pytest.approx(2.0, rel=0.05)
    assert "<p>Rows are &lt;sorted&gt;.</p>" in page


def test_qualities_have_tables_of_their_own_by_unit():
    run = synthetic_run(1)
    run["groups"]["sorting"]["qualities"] |= {
        "PSNR": {"value": 31.25, "unit": "dB", "peer": None},
        "luck": {"value": 7.0, "unit": "dice", "peer": None},
    }
    page = dashboard([run])
    cells = [cells[:2] for cells, _ in rows(page, "bench quality")]
    assert cells == [["SSIM", "0.9"], ["theirs", "0.8"], ["PSNR", "31.25"], ["luck", "7"]]
    titles = [one[1] for one in headings(page, "bench quality")]
    assert titles == [f"{title}, larger is better" for title in ("SSIM", "PSNR (dB)", "dice")]
    assert [one[1] for one in headings(page, "bench times")] == ["time per row"]


@pytest.mark.parametrize("factor", [1e-6, 0.02, 45.0, 1e6])
def test_times_replace_ratios_that_tell_nothing(factor):
    page = dashboard([synthetic_run(number, slower=factor) for number in range(6)])
    ((ours, _),) = rows(page)
    points = [one.find("title").text for one in trends(page)[0].findall("circle")]
    if 0.01 <= 2.0 * factor <= 100.0:
        assert ours[2] == f"{2 * factor:.3g} × np.sort" and ours[4] == f"{2 * factor:.3g} ×"
        assert all(point.endswith(f": {2 * factor:.3g} ×") for point in points)
    else:
        assert ours[2] == "np.sort: 1 s"
        time = ours[1].split(" ±")[0]
        assert ours[4] == time and all(point.endswith(f": {time}") for point in points)
    (slow,) = find_regressions([*synthetic_runs(9, slower=1e3), synthetic_run(9, slower=2e3)])[0]
    assert "slower, relative to" in slow.text and "times" not in slow.text


def test_run_of_an_earlier_version_has_no_sentence():
    run = synthetic_run(1)
    del run["groups"]["sorting"]["about"]
    assert rows(dashboard([run])) and "sorted" not in dashboard([run])


def test_trend_is_explained_in_words(page):
    legend = " ".join(re.findall(r'<span class="legend">.*?</svg>(.*?)</span>', page))
    assert all(word in legend for word in ("a run", "baseline", "regression", "too small"))
    assert "higher is slower" in page and "higher is better" in page


def test_regression_is_marked_and_listed_with_its_first_run(page):
    assert [worse for _, worse in rows(page) + rows(page, "bench quality")] == [True, False, False]
    first = synthetic_run(50)["time"]
    listed = re.search(r'<ul class="worse">(.*?)</ul>', page, re.DOTALL)[1]
    assert "sorting: ours" in listed and "% slower" in listed and f"since {first}" in listed


def test_every_benchmark_has_a_trend_line_with_regressions_marked(page):
    speed, quality = trends(page)
    for drawn, worse in ((speed, 2), (quality, 0)):
        circles = drawn.findall("circle")
        assert len(circles) == 14 and len(drawn.find("polyline").get("points").split()) == 14
        assert [one.get("class") for one in circles].count("worse") == worse
        points = [(float(one.get("cx")), float(one.get("cy"))) for one in circles]
        assert all(0 <= x <= WIDTH and 0 <= y <= HEIGHT for x, y in points)
        assert [x for x, _ in points] == sorted(x for x, _ in points)
        assert all(one.find("title").text.startswith("2026-01-") for one in circles)
    # Slower runs are drawn higher.
    heights = [float(one.get("cy")) for one in speed.findall("circle")]
    assert max(heights[-2:]) < min(heights[:-2])


def test_lower_quality_is_drawn_lower(page):
    drawn = trends(dashboard([*synthetic_runs(8), synthetic_run(50, quality=0.5)]))[1]
    heights = [float(one.get("cy")) for one in drawn.findall("circle")]
    assert heights[-1] > max(heights[:-1])


def test_single_run_missing_value_and_failed_group_are_shown():
    page = dashboard([synthetic_run(1)])
    assert "too few" in page and len(trends(page)) == 2
    page = dashboard([*synthetic_runs(8), synthetic_run(50, quality=None)])
    assert rows(page, "bench quality")[0][0][1] == "none"
    failed = synthetic_run(51)
    failed["groups"]["sorting"] = {"error": "no <module>"}
    page = dashboard([*synthetic_runs(8), failed])
    assert "could not be measured: no &lt;module&gt;" in page and rows(page) == []


def test_exceeded_speed_target_is_marked():
    run, numbers = synthetic_run(1), {"least": 1.0, "median": 1.0, "spread": 0.0, "turns": 5}
    run["groups"]["projection, rows of 256"] = {
        "things": "vector",
        "times": {
            "auto": {"kind": "ours", **numbers, "ratios": {"np.sort": 2.0}},
            "np.sort": {"kind": "limit", **numbers},
        },
        "qualities": {},
    }
    ((cells, exceeded),) = rows(dashboard([run]), "aims")
    assert cells[:4] == ["projection ÷ np.sort", "2.000", "1", "exceeded"] and exceeded


def test_page_loads_nothing_and_runs_no_scripts(page):
    assert "http" not in page.replace("http-equiv", "") and "<script" not in page
    assert not re.search(r"@import|url\(|\son\w+=", page)
