"""The benchmark prints all of its ratios; how large they are is no matter of tests."""

import re


def test_benchmark_prints_a_ratio_for_every_contender(run):
    done = run("python", "-m", "ezdl_cli.bench.projection", "--largest", "6", "--repeats", "1")
    assert done.returncode == 0, done.stderr
    assert "project / np.copyto" in done.stdout and "project / np.sort" in done.stdout
    rows = re.findall(r"n = 2\^\d+ +([\d.]+) +([\d.]+) +([\d.]+)$", done.stdout, re.MULTILINE)
    assert len(rows) == 5
    assert all(float(value) > 0 for row in rows for value in row)
