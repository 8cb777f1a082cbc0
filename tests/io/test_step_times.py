"""Step times of Snakemake are read, and damaged files are left out."""

import math

from ezdl_cli import io

HEADER = "s\th:m:s\tmax_rss\tmax_vms\tmax_uss\tmax_pss\tio_in\tio_out\tmean_load\tcpu_time\n"


def test_step_times_have_the_names_of_their_files(tmp_path):
    folder = tmp_path / "benchmarks"
    (folder / "tables" / "gabor").mkdir(parents=True)
    row = "1.43\t0:00:01\t114.41\t306.29\t71.39\t87.01\t0.48\t0.01\t33.60\t0.94\n"
    for name in ("images.tsv", "claims.md.tsv", "tables/gabor/ezdl-0.99_0.epoch-0001.tsv"):
        (folder / name).write_text(HEADER + row)
    found = io.load_step_times(tmp_path)
    assert list(found) == ["claims.md", "images", "tables/gabor/ezdl-0.99_0.epoch-0001"]
    assert set(found.values()) == {io.StepTime(1.43, 0.94, 114.41)}


def test_damaged_files_are_left_out(tmp_path):
    folder = tmp_path / "benchmarks"
    (folder / "folder.tsv").mkdir(parents=True)
    broken = {
        "empty": b"",
        "header": HEADER.encode(),
        "words": (HEADER + "soon\t-\n").encode(),
        "bytes": b"\xff\xfe\0\0",
        "other": b"a,b\n1,2\n",
        "nan": (HEADER + "nan\n").encode(),
        "endless": (HEADER + "inf\n").encode(),
    }
    for name, content in broken.items():
        (folder / f"{name}.tsv").write_bytes(content)
    (folder / "short.tsv").write_text(HEADER + "2.5\n")
    (folder / "unknown.tsv").write_text(HEADER + "2.5\t0:00:02\tNA\t-\t-\t-\t-\t-\t-\tNA\textra\n")
    found = io.load_step_times(tmp_path)
    assert list(found) == ["short", "unknown"]
    for time in found.values():
        assert time.seconds == 2.5
        assert math.isnan(time.cpu_seconds) and math.isnan(time.peak_mib)
    assert io.load_step_time(tmp_path / "nowhere.tsv") is None
    assert io.load_step_times(tmp_path / "nowhere") == {}
