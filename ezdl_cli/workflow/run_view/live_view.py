"""The live view in a terminal."""

import threading
import time
from contextlib import suppress

from rich.console import Console
from rich.control import Control
from rich.live import Live
from rich.text import Text

from ...durations import format_elapsed
from ...wording import count_of
from ..progress_lines import last_progress
from .screen import draw
from .terminal_size import terminal_size

INTERVAL = 0.25  # seconds between two drawings


class LiveView:
    """Draw the state of a run below what is printed, until it is stopped.

    Parameters
    ----------
    stream
        Text stream to a terminal.
    state : RunState
    lock : threading.Lock
        Held while the state is changed or drawn.
    received_signals : function
        Returns the signals that have arrived.
    """

    def __init__(self, stream, state, lock, received_signals):
        self.state, self.lock, self.received_signals = state, lock, received_signals
        self.stream = stream
        self.console = Console(file=stream, force_terminal=True, highlight=False, markup=False)
        self.console.size = terminal_size(self.stream)
        self.live = Live(
            console=self.console,
            get_renderable=self._draw,
            auto_refresh=False,
            transient=True,
            redirect_stdout=False,
            redirect_stderr=False,
            vertical_overflow="crop",
        )
        self.printed, self.printing = [], threading.Lock()
        self.ended = threading.Event()
        self.thread = threading.Thread(target=self._draw_repeatedly, daemon=True)

    def start(self):
        """Start drawing."""
        self.live.start()
        self.thread.start()

    def stop(self, succeeded):
        """Remove the view, restore the cursor, and say how long a successful run took."""
        self.ended.set()
        self.thread.join()
        with suppress(OSError):  # the terminal was closed
            self.live.stop()
        state = self.state
        if succeeded and state.n_steps:
            done = f"{count_of(len(state.finished), 'step')} done"
            before = f"; {state.n_up_to_date} were up to date" if state.n_up_to_date else ""
            self.write([f"{done} in {format_elapsed(time.time() - state.started)}{before}."])

    def finished(self, state, step):
        """Show a step that has finished: it is part of the next drawing."""

    def write(self, lines, style=None):
        """Print lines above the view."""
        texts = [Text(line, style if i == 0 else "") for i, line in enumerate(lines)]
        with self.printing:
            self.printed += texts
            self._print(texts)

    def _print(self, texts):
        with suppress(OSError):
            self.console.print(*texts, sep="\n", soft_wrap=True)

    def _draw_repeatedly(self):
        while not self.ended.wait(INTERVAL):
            try:
                self._read_progress()
                if self.console.size != terminal_size(self.stream):
                    self._resize()
                self.live.refresh()
            except OSError:  # the terminal was closed
                return

    def _read_progress(self):
        with self.lock:
            self.state.signals = self.received_signals()
            steps = [step for step in self.state.running.values() if step.log]
        for step in steps:
            step.progress = last_progress(step.log, step.started)

    def _resize(self):
        """Draw everything again: a terminal of another size has wrapped the lines differently."""
        with self.printing:
            self.console.size = terminal_size(self.stream)
            self.live.stop()
            self.console.control(Control.clear(), Control.home())
            if self.printed:
                self._print(self.printed)
            self.live.start()

    def _draw(self):
        width, height = self.console.size
        with self.lock:
            return draw(self.state, time.time(), width, height, self.console.options.ascii_only)
