"""What is printed when a step has failed."""

from types import SimpleNamespace

from ezdl_cli.workflow.run_view.failure_text import MAX_COMMAND, failure_lines


def printed_command(command):
    step = SimpleNamespace(seconds=3, title="Judging", command=command, log=None)
    first, second = failure_lines(step)
    assert first == "Failed after 3.0 s: Judging"
    return second.removeprefix("  Command: ")


def test_short_commands_are_complete():
    command = "ezdl claims " + "table.csv " * 20 + "claims.md 2> claims.log"
    assert len(command) < MAX_COMMAND
    assert printed_command(command) == command


def test_long_commands_keep_their_start_and_end():
    words = ["ezdl", "claims", *(f"tables/{k}.csv" for k in range(100)), "claims.md", "2> log"]
    text = printed_command(" ".join(words))
    assert len(text) < MAX_COMMAND + 30
    start, middle, end = text.split(" … ")
    assert " ".join(words).startswith(start + " tables/")
    assert " ".join(words).endswith(".csv " + end)
    n_kept = len(start.split()) + len(end.split())
    assert middle == f"({len(' '.join(words).split()) - n_kept} more words)"
