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
# Shows the page in a frame as wide as a screen, and writes its layout as JSON.
FRAME = """<!DOCTYPE html><body><iframe style="width: WIDTHpx; height: 800px; border: 0"
src="ADDRESS" onload="look(this.contentDocument, this.contentWindow)"></iframe><pre></pre><script>
function look(page, view) {
  for (const one of page.querySelectorAll("details")) one.open = true;
  const scrolled = (one) => one.closest(".scroll, pre") !== null;
  const boxes = [...page.body.querySelectorAll("*")].filter((one) => !scrolled(one));
  const wide = boxes.filter((one) => one.getBoundingClientRect().right > WIDTH + 0.5);
  document.querySelector("pre").textContent = JSON.stringify({
    title: page.title,
    width: page.documentElement.scrollWidth,
    wide: wide.map((one) => one.tagName + " " + one.textContent.slice(0, 40)),
    images: [...page.images].map((one) => [one.naturalWidth, one.complete, one.clientWidth]),
    head: [...page.querySelectorAll(".claims thead")].map(
      (one) => view.getComputedStyle(one).display),
    trends: [...page.querySelectorAll(".trend")].map((one) => one.clientWidth * one.clientHeight),
    rows: [...page.querySelectorAll(".claims tbody tr")].map((one) => one.clientHeight),
    lines: [...page.querySelectorAll(".claims td:first-child")].map((one) => {
      const text = page.createRange();
      text.selectNodeContents(one);
      return text.getClientRects().length;
    }),
  });
}
</script>"""


def look(page, folder, width):
    """Return the layout of the page on a screen of this width."""
    frame = folder / "frame.html"
    frame.write_text(FRAME.replace("WIDTH", str(width)).replace("ADDRESS", page.as_uri()))
    profile = f"--user-data-dir={folder / 'profile'}"
    command = [CHROMIUM, *OPTIONS, profile, "--window-size=1600,900", "--dump-dom", frame.as_uri()]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    seen = re.search(r"<pre>(.*?)</pre>", done.stdout, re.DOTALL)
    return json.loads(html.unescape(seen[1]))


@pytest.mark.parametrize("width", [390, 1280])
def test_report_fits_the_screen_and_shows_all_images(page, tmp_path, width):
    seen = look(page, tmp_path, width)
    assert seen["title"] == "ezdl: The paper reproduced: tiny"
    assert seen["wide"] == [] and seen["width"] <= width
    assert len(seen["images"]) == 18 + 2 + 1
    assert all(natural > 0 and complete for natural, complete, _ in seen["images"])
    assert all(0 < shown <= width for *_, shown in seen["images"])
    assert len(seen["rows"]) == len(CLAIMS) and all(height > 20 for height in seen["rows"])
    assert set(seen["lines"]) == {1}  # ids are not wrapped
    # On a phone, claims are cards without a table header.
    assert seen["head"] == ["none" if width < 768 else "table-header-group"]


@pytest.mark.parametrize("width", [390, 1280])
def test_dashboard_fits_the_screen_and_shows_its_trends(tmp_path, width):
    page = tmp_path / "bench.html"
    page.write_text(
        dashboard([*synthetic_runs(30), synthetic_run(99, slower=1.5)]), encoding="utf-8"
    )
    seen = look(page, tmp_path, width)
    assert seen["title"] == "ezdl: Benchmarks"
    assert seen["wide"] == [] and seen["width"] <= width
    assert len(seen["trends"]) == 2 and all(area > 5000 for area in seen["trends"])
