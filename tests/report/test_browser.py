"""The pages in headless Chromium, if it is installed."""

import html
import json
import re
import shutil
import subprocess

import pytest
from helpers.bench_runs import synthetic_run, synthetic_runs

from ezdl_cli.bench.dashboard import dashboard
from ezdl_cli.claims import CLAIMS

CHROMIUM = shutil.which("chromium")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed")
OPTIONS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
    "--allow-file-access-from-files",
)
# Shows the page in a frame as wide as a screen, and writes what a script finds there as JSON.
FRAME = """<!DOCTYPE html><body><iframe style="width: WIDTHpx; height: 800px; border: 0"
src="ADDRESS" onload="look(this.contentDocument, this.contentWindow)"></iframe><pre></pre><script>
const all = (page, selector) => [...page.querySelectorAll(selector)];
function act(element, type) { element.dispatchEvent(new Event(type, { bubbles: true })); }
async function look(page, view) {
  const pause = () => new Promise((resolve) => setTimeout(resolve, 100));
  try {
    document.querySelector("pre").textContent = JSON.stringify(await found(page, view, pause));
  } catch (error) { document.querySelector("pre").textContent = JSON.stringify(String(error)); }
}
async function found(page, view, pause) { SCRIPT }
</script>"""
LAYOUT = """
  for (const one of all(page, "details")) one.open = true;
  const scrolled = (one) => one.closest(".scroll, pre, nav") !== null;
  const boxes = all(page, "body *").filter((one) => !scrolled(one));
  const wide = boxes.filter((one) => one.getBoundingClientRect().right > WIDTH + 0.5);
  return {
    title: page.title,
    width: page.documentElement.scrollWidth,
    wide: wide.map((one) => one.tagName + " " + one.textContent.slice(0, 40)),
    images: all(page, "img[src]").map((one) => [one.naturalWidth, one.complete, one.clientWidth]),
    trends: all(page, ".trend").map((one) => one.clientWidth * one.clientHeight),
    cards: all(page, ".claim").map((one) => one.clientHeight),
    charts: all(page, ".measure .chart").map((one) => one.getBoundingClientRect().width),
    cells: all(page, ".cell").map((one) => one.clientWidth * one.clientHeight),
  };"""
FILTERS = """
  const form = page.querySelector(".filters").elements;
  const shown = () => all(page, ".claim").filter((one) => one.offsetParent).map((one) => one.id);
  const parts = () => all(page, ".part").filter((one) => one.offsetParent).length;
  const steps = { start: shown(), parts: [parts()] };
  all(page, "[name=verdict]").find((one) => one.value === "not-measured").click();
  steps.open = shown();
  steps.parts.push(parts());
  steps.output = page.querySelector("output").textContent;
  view.location.hash = "#P1";  // hidden now: a link to it shows it again
  await pause();
  steps.linked = shown().length;
  form.search.value = "newton halley";
  act(form.search, "input");
  steps.found = shown();
  form.search.value = "sigma_H 2^22 Hoyer’s nothing";
  act(form.search, "input");
  steps.nothing = page.querySelector("output").textContent;
  page.querySelector("[type=reset]").click();
  await pause();
  steps.reset = shown().length;
  form.search.value = "sigma_I landweber";  // σ with a subscript
  act(form.search, "input");
  steps.symbols = shown();
  form.search.value = "";
  form.order.value = "verdict";
  act(form.order, "input");
  steps.sorted = all(page, ".claim").map((one) => one.className.replace("claim ", ""));
  form.order.value = "closeness";
  act(form.order, "input");
  steps.closeness = all(page, ".claim").map((one) => Number(one.dataset.closeness));
  form.order.value = "paper";
  act(form.order, "input");
  steps.end = shown();
  page.body.dispatchEvent(new KeyboardEvent("keydown", { key: "/", bubbles: true }));
  steps.focus = page.activeElement.name;
  return steps;"""
PICTURES = """
  const figure = page.querySelector(".comparison");
  const after = figure.querySelector(".after"), slider = figure.querySelector("[type=range]");
  const edge = () => view.getComputedStyle(figure.querySelector(".before")).clipPath;
  const results = [after.src], edges = [edge()];
  for (const choice of all(figure, "[type=radio]").reverse()) {
    choice.click();
    results.push(after.src);
  }
  slider.value = 10;
  act(slider, "input");
  edges.push(edge());
  const dialog = page.querySelector("dialog"), button = page.querySelector(".enlarge");
  button.click();
  const enlarged = [dialog.open, dialog.querySelector("img").src === button.firstChild.src];
  dialog.querySelector("button").click();
  const saved = all(page, "a.from-image").map((one) => one.href.slice(0, 24));
  return { results, edges, enlarged, closed: !dialog.open, saved };"""


def look(page, folder, script, width=1280):
    """Return what a script finds on the page, on a screen of this width."""
    frame, values = folder / "frame.html", {"ADDRESS": page.as_uri(), "WIDTH": str(width)}
    text = FRAME.replace("SCRIPT", script)
    for name, value in values.items():
        text = text.replace(name, value)
    frame.write_text(text)
    profile = f"--user-data-dir={folder / 'profile'}"
    command = [
        CHROMIUM,
        *OPTIONS,
        profile,
        "--window-size=1600,900",
        "--virtual-time-budget=5000",
        "--dump-dom",
        frame.as_uri(),
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    seen = re.search(r"<pre>(.*?)</pre>", done.stdout, re.DOTALL)
    return json.loads(html.unescape(seen[1]))


@pytest.mark.parametrize("width", [390, 1280])
def test_report_fits_the_screen_and_shows_all_images(page, tmp_path, width):
    seen = look(page, tmp_path, LAYOUT, width)
    assert seen["title"] == "ezdl: The paper reproduced: tiny"
    assert seen["wide"] == [] and seen["width"] <= width
    assert len(seen["images"]) == 21 + 2 + 1 + 2 * 3  # figures, dictionaries, top, comparisons
    assert all(natural > 0 and complete for natural, complete, _ in seen["images"])
    assert all(0 < shown <= width for *_, shown in seen["images"])
    assert len(seen["cards"]) == len(CLAIMS) and all(height > 60 for height in seen["cards"])
    assert len(seen["charts"]) > 57 and all(150 < chart <= 301 for chart in seen["charts"])
    assert len(seen["cells"]) == len(CLAIMS) and all(area > 600 for area in seen["cells"])


def test_filters_search_and_sorting(page, tmp_path):
    seen = look(page, tmp_path, FILTERS)
    ids = [claim.id for claim in CLAIMS]
    assert seen["start"] == seen["end"] == ids and seen["linked"] == len(ids)
    assert set(seen["open"]) >= {"X3"} and len(seen["open"]) < len(ids)
    assert seen["parts"] == [6, len({name[0] for name in seen["open"]})]
    assert seen["output"] == f"{len(seen['open'])} of 57 claims shown"
    assert {"P2", "P7"} <= set(seen["found"]) and "N1" not in seen["found"]
    assert seen["nothing"] == "0 of 57 claims shown" and seen["reset"] == len(ids)
    assert "R1" in seen["symbols"] and len(seen["symbols"]) < 20
    order = ["not-reproduced", "undecided", "not-measured", "reproduced"]
    assert seen["sorted"] == sorted(seen["sorted"], key=order.index)
    assert seen["closeness"] == sorted(seen["closeness"]) and len(set(seen["closeness"])) > 20
    assert seen["focus"] == "search"


def test_pictures_can_be_compared_enlarged_and_saved(page, tmp_path):
    seen = look(page, tmp_path, PICTURES)
    first, *chosen = seen["results"]
    assert chosen[-1] == first and len(set(chosen)) == len(chosen) == 3
    assert seen["edges"] == ["inset(0px 50% 0px 0px)", "inset(0px 90% 0px 0px)"]
    assert seen["enlarged"] == [True, True] and seen["closed"]
    assert seen["saved"] == ["data:image/svg+xml;base6"] * 17  # one figure has no SVG


@pytest.mark.parametrize("width", [390, 1280])
def test_dashboard_fits_the_screen_and_shows_its_trends(tmp_path, width):
    page = tmp_path / "bench.html"
    page.write_text(
        dashboard([*synthetic_runs(30), synthetic_run(99, slower=1.5)]), encoding="utf-8"
    )
    seen = look(page, tmp_path, LAYOUT, width)
    assert seen["title"] == "ezdl: Benchmarks"
    assert seen["wide"] == [] and seen["width"] <= width
    assert len(seen["trends"]) == 2 and all(area > 5000 for area in seen["trends"])
