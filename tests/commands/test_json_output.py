"""`--json` prints one document that follows its schema, with the exit codes of the text."""

import json

import numpy as np
import pytest
from helpers.bench_runs import synthetic_run, synthetic_runs
from helpers.claim_verdicts import IDS
from helpers.synthetic_results import Results

from ezdl_cli import io
from ezdl_cli.bench.history import add_run
from ezdl_cli.io.json_formats import validate


@pytest.fixture
def printed(run_here):
    """Run a command with --json, check its document, and return it."""

    def printed_by(schema, *arguments, code=0, errors=""):
        done = run_here("ezdl", *arguments, "--json")
        assert (done.returncode, done.stderr) == (code, errors)
        assert done.stdout.isascii() and "NaN" not in done.stdout
        return validate(json.loads(done.stdout), schema)

    return printed_by


def save_dictionary(path, n_epochs=2, **matrices):
    W = np.eye(6, 9, dtype=np.float32)
    metadata = io.DictionaryMetadata(
        algorithm="ezdl",
        parameters={"inference": "topographic", "grid": [2, 3]},
        history=[{"epoch": n + 1, "correlation": 0.5} for n in range(n_epochs)],
        samples=io.SampleMetadata(source="über.npy", images=[{"name": "a.png"}]),
    )
    dictionary = io.Dictionary(W, metadata, matrices)
    io.save_dictionary(path, dictionary)
    return dictionary


def test_dictionaries_and_checkpoints(printed, tmp_path):
    dictionary = save_dictionary(tmp_path / "d.npz")
    io.save_checkpoint(tmp_path / "c.npz", io.Checkpoint(dictionary, {}, {}))
    for name, kind in (("d.npz", "dictionary"), ("c.npz", "checkpoint")):
        summary = printed("file_summary", "info", name)
        metadata = summary.pop("metadata")
        assert metadata == dictionary.metadata.to_json()
        assert metadata["samples"] == {"source": "über.npy", "images": [{"name": "a.png"}]}
        assert summary == {
            **{"file": name, "kind": kind, "n_atoms": 6, "n_pixels": 9, "dtype": "float32"},
            **{"n_components": None, "grid": [2, 3]},
        }
    save_dictionary(tmp_path / "w.npz", whitening=np.eye(9), dewhitening=np.eye(9))
    assert printed("file_summary", "info", "w.npz")["n_components"] == 9


def test_samples_and_arrays(printed, tmp_path):
    with io.new_patches(tmp_path / "p.npy", 16) as writer:
        writer.append(np.zeros((7, 16), np.uint8))
        writer.metadata = io.SampleMetadata(patch_size=4, images=[{"name": "a.png"}])
    np.savez(tmp_path / "a.npz", one=np.ones((2, 3)), two=np.int16(1))
    for name in ("p.npy", "p.json"):
        summary = printed("file_summary", "info", name)
        assert summary["kind"] == "patch store" and summary["file"] == "p.npy"
        assert summary["arrays"] == {"array": {"shape": [7, 16], "dtype": "uint8"}}
        assert summary["metadata"]["n_samples"] == 7
    assert printed("file_summary", "info", "a.npz")["arrays"] == {
        "one": {"shape": [2, 3], "dtype": "float64"},
        "two": {"shape": [], "dtype": "int16"},
    }


def test_tables_and_collections(printed, tmp_path):
    table = {"solver": ["a", "b", "a"], "mean": [1.5, np.nan, -2.0], "psnr": [1.0, np.inf, 0.0]}
    io.save_table(tmp_path / "t.csv", table)
    summary = printed("file_summary", "info", "t.csv")
    assert summary["n_rows"] == 3
    assert summary["columns"] == {
        "solver": {"type": "text", "n_distinct": 2},
        "mean": {"type": "numbers", "minimum": -2.0, "maximum": 1.5},
        "psnr": {"type": "numbers", "minimum": 0.0, "maximum": None},
    }
    sizes = {"train/a.png": (30, 40), "train/b.png": (10, 20), "denoise/c.png": (20, 30)}
    entries = tuple(
        io.ManifestEntry(file=file, sha256="0", width=width, height=height)
        for file, (width, height) in sizes.items()
    )
    io.save_manifest(tmp_path, io.Manifest(entries, source="import", incomplete=True))
    summary = printed("file_summary", "info", ".")
    assert (summary["complete"], summary["n_images"]) == (False, 3)
    assert summary["folders"] == {"train": 2, "denoise": 1}
    assert (summary["smallest"], summary["largest"]) == ([10, 20], [30, 40])


def test_unusable_files_are_refused_as_without_json(refused, tmp_path):
    (tmp_path / "a.npy").write_bytes(b"noise")
    assert refused("ezdl", "info", "a.npy", "--json") == refused("ezdl", "info", "a.npy")


def test_benchmarks(printed, refused, tmp_path):
    path = tmp_path / "b.jsonl"
    command = ("bench", "check", "--history", "b.jsonl")
    no_runs = "ezdl: b.jsonl: no runs yet; add one with `ezdl bench run`\n"
    empty = printed("bench_check", *command, code=4, errors=no_runs)
    assert empty["outcome"] == "too few runs" and empty["n_earlier_runs"] == 0
    for one in synthetic_runs(8):
        add_run(path, one)
    good = printed("bench_check", *command, "--quiet")
    expected = {"history": "b.jsonl", "outcome": "no regressions", "n_earlier_runs": 7}
    assert good == expected | {"n_required": 5, "regressions": []}
    for number in (20, 21):
        slow = synthetic_run(number, slower=1.4)
        slow["versions"]["numpy"] = "3.0"
        add_run(path, slow)
    found = printed("bench_check", *command, code=3)
    assert found["outcome"] == "regressions"
    (one,) = found["regressions"]
    assert (one["group"], one["name"], one["n_runs"]) == ("sorting", "ours", 2)
    assert "slower" in one["text"] and one["since"] == synthetic_run(20)["time"]
    assert one["changes"] == [{"name": "numpy", "before": "2.0", "after": "3.0"}]
    with io.lock(path):
        assert "holds the lock" in refused("ezdl", *command, "--json", code=5)


def test_claims_need_no_output(run_here, printed, refused, tmp_path):
    results = Results().write(tmp_path / "results")
    before = sorted(results.rglob("*"))
    counts = run_here("ezdl", "claims", "results", "claims.json").stderr
    found = printed("claims", "claims", "results", errors=counts)
    assert [one["id"] for one in found] == list(IDS)
    assert found == json.loads((tmp_path / "claims.json").read_text(encoding="utf-8"))
    assert sorted(results.rglob("*")) == before
    assert printed("claims", "claims", "results", "new.md", errors=counts) == found
    assert (tmp_path / "new.md").exists()
    assert "must end with .md" in refused("ezdl", "claims", "results")
    assert "RESULTS" in refused("ezdl", "claims", "--json")


@pytest.mark.parametrize("reader", ["head -c 1", "head -n 1", "true"])
def test_reader_that_stops_early_gets_no_traceback(run, tmp_path, reader):
    save_dictionary(tmp_path / "d.npz", n_epochs=20_000)
    done = run("bash", "-c", f"ezdl info d.npz --json | {reader}")
    assert (done.returncode, done.stderr) == (0, "")
