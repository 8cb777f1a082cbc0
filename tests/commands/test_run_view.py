"""What `ezdl run` shows: lines without a terminal, a live view in one, and Snakemake's output."""

import os
import re
import signal

import pytest
from helpers.small_pipeline import (
    ESCAPES,
    SHOW_CURSOR,
    Terminal,
    close_gate,
    create_pipeline,
    frames,
    wait_at_gate,
)

from ezdl_cli.claims import CLAIMS
from ezdl_cli.claims.claim import Finding, Measure
from ezdl_cli.claims.claim_formats import to_json

TIME = r"\d+\.\d s"
VERDICT = (
    f"1 of {len(CLAIMS)} claims reproduced, 1 not, 0 undecided, {len(CLAIMS) - 2} not measured."
)


@pytest.fixture
def project(tmp_path):
    """A pipeline in whose results one claim is reproduced, and one is not."""
    create_pipeline(tmp_path)
    values = {CLAIMS[0].id: 2.0, CLAIMS[1].id: 0.0}
    found = [
        Finding(claim, (Measure("x", values.get(claim.id), relation="≥", limit=1.0),), ())
        for claim in CLAIMS
    ]
    (tmp_path / "results" / "quick").mkdir(parents=True)
    (tmp_path / "results" / "quick" / "claims.json").write_text(to_json(found))
    (tmp_path / "results" / "quick" / "report.html").touch()
    return tmp_path


def snakemake_log(text, folder):
    """Return what is in the log that a message names."""
    (path,) = re.findall(r"complete output: (\S+)", text)
    return (folder / path).read_text()


def test_without_a_terminal_each_finished_step_is_a_line(run, project):
    done = run("ezdl", "run", "--cores", "2")
    assert done.returncode == 0, done.stderr
    first, second = done.stderr.splitlines()
    assert re.fullmatch(f"1 of 2  Making a: {TIME}", first)
    assert re.fullmatch(f"2 of 2  Making b: {TIME}", second)
    claim = CLAIMS[1]
    assert done.stdout.splitlines() == [
        VERDICT,
        "Not reproduced:",
        f"  {claim.id:4} {claim.statement}",
        "Report: results/quick/report.html",
    ]


def test_resumed_run_counts_what_was_done_and_a_complete_one_has_nothing_to_do(run, project):
    assert run("ezdl", "run").returncode == 0
    (project / "b.txt").unlink()
    resumed = run("ezdl", "run")
    assert re.fullmatch(f"2 of 2  Making b: {TIME}\n", resumed.stderr)
    again = run("ezdl", "run")
    assert (again.returncode, again.stderr) == (0, "")
    assert again.stdout.startswith("Nothing to do") and again.stdout.count("\n") == 1


def test_results_of_other_targets_have_no_verdict(run, project):
    done = run("ezdl", "run", "--", "a.txt")
    assert re.fullmatch(f"1 of 1  Making a: {TIME}\n", done.stderr)
    assert done.stdout == ""


def test_failed_step_is_shown_with_its_command_and_the_end_of_its_log(run, project):
    lines = [f"line {i}" for i in range(30)]
    log = [*lines, "Training: 1 of 3, 5 s left", "\x1b[2Jezdl: it is broken"]
    (project / "broken").write_text("\n".join(log))
    done = run("ezdl", "run", "--cores", "1")
    assert (done.returncode, done.stdout) == (1, "")
    assert re.match(f"Failed after {TIME}: Making a\n  Command: echo noise; ", done.stderr)
    assert "  End of results/quick/logs/a.log:\n    line 11\n" in done.stderr
    assert "    line 29\n    \\x1b[2Jezdl: it is broken\n" in done.stderr
    assert "ezdl: 1 step failed, 0 of 2 steps are done; " in done.stderr
    assert "Error in rule first" in snakemake_log(done.stderr, project)
    assert "CalledProcessError" not in done.stderr and "noise\n" not in done.stderr


def test_remarks_in_logs_are_warnings(run, project):
    snakefile = project / "Snakefile"
    text = snakefile.read_text().replace("exit 3", "true")
    snakefile.write_text(text)
    (project / "broken").write_text("ezdl: skipped a.png: damaged\nanything else\n")
    done = run("ezdl", "run")
    assert done.returncode == 0
    assert "Warning: Making a: ezdl: skipped a.png: damaged\n" in done.stderr
    assert done.stderr.count("\n") == 3


def test_missing_output_is_reported(run, project):
    snakefile = project / "Snakefile"
    snakefile.write_text(snakefile.read_text().replace("threads.py > {output}", "threads.py"))
    done = run("ezdl", "run", "--", "--latency-wait", "0", "b.txt")
    assert done.returncode == 1
    assert "MissingOutputException" in done.stderr and "b.txt" in done.stderr
    assert "ezdl: the run failed, 1 of 2 steps are done; " in done.stderr


def test_error_in_the_snakefile_is_reported_with_the_log(run, project):
    (project / "config" / "quick.yaml").write_text("profile: quick\nvalue: 10\n")
    done = run("ezdl", "run")
    assert (done.returncode, done.stdout) == (1, "")
    assert "the value is too large" in done.stderr
    assert "the value is too large" in snakemake_log(done.stderr, project)


@pytest.mark.parametrize(
    ("arguments", "code", "printed"),
    [
        (["--snakemake-output"], 0, "2 of 3 steps (67%) done"),
        (["--", "--dry-run"], 0, "This was a dry-run"),
        (["--", "--rulegraph"], 0, "digraph snakemake_dag"),
        (["--", "--version"], 0, "."),
        (["--", "--bogus"], 2, "unrecognized arguments: --bogus"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_snakemakes_own_output_is_available(run, project, arguments, code, printed):
    done = run("ezdl", "run", *arguments)
    assert done.returncode == code, done.stderr
    assert printed in done.stdout + done.stderr
    assert not list(project.glob(".snakemake/log/*ezdl-run.log"))
    assert "claims reproduced" not in done.stdout


@pytest.mark.parametrize(("columns", "lines"), [(80, 24), (120, 40), (30, 6)])
def test_live_view_fits_the_terminal_and_ends_with_the_verdict(project, columns, lines):
    code, text = Terminal(project, columns, lines).read_to_end()
    assert code == 0, text
    drawn = frames(text)
    assert any("Making a" in line for frame in drawn for line in frame) == (lines > 6)
    assert any("of 2 steps" in line for frame in drawn for line in frame)
    assert max(len(line) for frame in drawn for line in frame) <= columns
    assert max(map(len, drawn)) < lines
    assert "noise" not in text
    last = text.rpartition(SHOW_CURSOR)[2].replace("\r", "").splitlines()
    assert any(re.search(r"2 steps done in \d", line) for line in last)
    assert VERDICT in " ".join(last) and last[-1].endswith("Report: results/quick/report.html")
    (claim,) = [line for line in last if line.startswith(f"  {CLAIMS[1].id} ")]
    assert len(claim) <= columns


def test_live_view_shows_the_time_left_and_the_progress_of_steps(project):
    for name, seconds in (("a", 100), ("b", 50)):
        file = project / "results" / "quick" / "benchmarks" / f"{name}.tsv"
        file.parent.mkdir(exist_ok=True)
        file.write_text(f"s\tcpu_time\tmax_rss\n{seconds}\t1\t1\n")
    ready = close_gate(project)
    terminal = Terminal(project)
    wait_at_gate(ready, terminal.process)
    terminal.read_until(lambda text: "about 2 min left" in text)
    (project / "results" / "quick" / "logs" / "a.log").write_text("Making: 30 of 100, 5 s left\n")
    terminal.read_until(lambda text: "30 %" in text)
    (project / "gate").write_text("\n")
    code, text = terminal.read_to_end()
    assert code == 0
    assert re.search(r"0 of 2 steps in \d s, about 2 min left", ESCAPES.sub("", text))


def test_live_view_survives_resizing(project):
    ready = close_gate(project)
    terminal = Terminal(project, 120, 40)
    wait_at_gate(ready, terminal.process)
    terminal.read_until(lambda text: "Making a" in text)
    terminal.resize(50, 10)
    terminal.read_until(lambda text: "\x1b[2J" in text)
    after = len(terminal.text.rpartition("\x1b[2J")[0])
    (project / "gate").write_text("\n")
    code, text = terminal.read_to_end()
    assert code == 0, text
    drawn = frames(text[after:])
    assert drawn and max(len(line) for frame in drawn for line in frame) <= 50
    assert max(map(len, drawn)) < 10


def test_interrupted_run_restores_the_cursor_and_can_be_resumed(run, project):
    ready = close_gate(project)
    terminal = Terminal(project)
    wait_at_gate(ready, terminal.process)
    terminal.type("\x03")
    code, text = terminal.read_to_end()
    assert code == 130
    last = text.rpartition(SHOW_CURSOR)[2]
    assert "ezdl: interrupted after 0 of 2 steps" in last and "Traceback" not in text
    assert "Failed" not in text and not list(project.glob(".snakemake/locks/*"))
    (project / "open").touch()
    assert run("ezdl", "run").stderr.count("\n") == 2


def test_terminated_run_waits_for_its_steps_and_restores_the_cursor(project):
    ready = close_gate(project)
    terminal = Terminal(project)
    wait_at_gate(ready, terminal.process)
    os.kill(terminal.process.pid, signal.SIGTERM)
    terminal.read_until(lambda text: "stopping after 1 more" in text)
    (project / "gate").write_text("\n")
    code, text = terminal.read_to_end()
    assert code == 143
    assert "ezdl: terminated after 1 of 2 steps" in text.rpartition(SHOW_CURSOR)[2]
    assert (project / "a.txt").exists() and not (project / "b.txt").exists()


def test_failure_in_a_terminal_is_printed_above_the_view(project):
    (project / "broken").write_text("ezdl: it is broken\n")
    code, text = Terminal(project).read_to_end()
    assert code == 1
    assert "ezdl: it is broken" in text and "ezdl: 1 step failed" in text.rpartition(SHOW_CURSOR)[2]


def test_dumb_terminal_gets_lines(project):
    code, text = Terminal(project, environment={"TERM": "dumb"}).read_to_end()
    assert code == 0
    assert "\x1b" not in text and "1 of 2  Making a" in text and VERDICT in text


def test_terminal_without_unicode_gets_ascii(project):
    terminal = Terminal(project, environment={"PYTHONIOENCODING": "ascii"})
    code, text = terminal.read_to_end()
    assert code == 0
    assert "Making a" in text and text.isascii()


@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&- <&-"])
def test_closed_streams_do_not_stop_the_run(run, project, closed):
    done = run("sh", "-c", f"exec ezdl run {closed}")
    assert done.returncode == 0 and "Traceback" not in done.stderr
    assert (VERDICT in done.stdout) == (closed == "2>&-")
    assert (project / "b.txt").exists()
    assert (project / ".snakemake" / "ezdl-run.lock").read_text().strip().isdecimal()


def test_results_of_another_profile_are_reported(run, project):
    other = project / "results" / "other"
    (project / "results" / "quick").rename(other)
    done = run("ezdl", "run", "--", "--config", "profile=other")
    assert done.returncode == 0 and "results/other/report.html" in done.stdout


def test_colours_can_be_switched_off(project):
    code, text = Terminal(project, environment={"NO_COLOR": "1"}).read_to_end()
    assert code == 0
    assert not re.search(r"\x1b\[[0-9;]*(3|4|9)\dm", text)
