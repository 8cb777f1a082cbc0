"""Why a step has failed: its command, and the end of its log."""

from ...durations import format_duration
from ...errors import one_line
from ..progress_lines import without_progress

MAX_LINES = 20  # at the end of a log
TAIL = 1 << 16  # bytes at the end of a log that are read
MAX_MESSAGE = 2000  # characters of a message of Snakemake
MAX_COMMAND = 400  # characters of a command


def failure_lines(step):
    """Return the lines that explain why a step has failed: title, command, and end of its log."""
    yield f"Failed after {format_duration(step.seconds)}: {step.title}"
    if step.command:
        yield f"  Command: {_without_middle(one_line(step.command))}"
    if step.log is None:
        return
    lines = end_of_log(step.log)
    yield f"  End of {step.log}:" if lines else f"  {step.log} is empty."
    yield from (f"    {line}" for line in lines)


def _without_middle(command):
    """Return a command, without its middle if it is long: the complete output has all of it."""
    if len(command) <= MAX_COMMAND:
        return command
    start = command[: MAX_COMMAND // 2].rpartition(" ")[0]
    end = command[-MAX_COMMAND // 2 :].partition(" ")[2]
    n_left_out = len(command.split()) - len(start.split()) - len(end.split())
    return f"{start} … ({n_left_out} more words) … {end}"


def end_of_log(path):
    """Return the last lines of a log, without those that state progress."""
    try:
        with open(path, "rb") as stream:
            stream.seek(0, 2)
            stream.seek(max(0, stream.tell() - TAIL))
            lines = stream.read().decode("utf-8", "replace").splitlines()
    except OSError:
        return []
    return [_printable(line) for line in without_progress(lines) if line.strip()][-MAX_LINES:]


def log_remarks(path):
    """Return what a command has remarked in its log, such as images that it has skipped."""
    return [line for line in end_of_log(path) if line.startswith("ezdl: ")]


def message_lines(message):
    """Return the lines of a message of Snakemake, which may quote anything."""
    return [_printable(line) for line in message[:MAX_MESSAGE].splitlines() if line.strip()]


def _printable(line):
    """Return a line without control characters, indented as before."""
    line = line.rstrip().expandtabs(4)
    return line[: len(line) - len(line.lstrip())] + one_line(line)
