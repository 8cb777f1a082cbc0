"""The run as lines, for logs and terminals without a cursor: one for each finished step."""

from contextlib import suppress

from ...durations import format_duration


class PlainLines:
    """Write a line for each step that has finished.

    Parameters
    ----------
    stream
        Text stream, usually standard error.
    """

    def __init__(self, stream):
        self.stream = stream

    def start(self):
        """Show nothing yet."""

    def stop(self, succeeded):
        """Show nothing more."""

    def finished(self, state, step):
        """Report a step that has finished."""
        width = len(str(state.n_steps))
        count = f"{state.n_done:{width}} of {state.n_steps}"
        self.write([f"{count}  {step.title}: {format_duration(step.seconds)}"])

    def write(self, lines, style=None):
        """Write lines; `style` is ignored."""
        # A closed pipe or a full disk must not stop the run.
        with suppress(OSError):
            for line in lines:
                print(line, file=self.stream, flush=True)
