"""The live view of a run, drawn for a terminal of a given size."""

from rich.cells import cell_len, set_cell_size
from rich.console import Group
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from ...durations import format_duration, format_elapsed, format_time
from ...wording import count_of
from .time_left import step_times_left, time_left

WIDE = 100  # columns from which on the steps in progress have bars
HEADER_LINES = 2
SECTION_LINES = 2  # an empty line and a title
MAX_DONE = 10
GAP, BAR_WIDTH = 2, 20  # columns
COLUMNS = (GAP + 5, GAP + 11, GAP + 6)  # percent, time, and time left
MIN_TITLE = 20
MAX_TAIL = 30  # columns at the end of a shortened title


def draw(state, now, width, height, ascii_only=False):
    """Return what is shown of a run: at most `height` - 1 lines of at most `width` columns.

    The last line is empty: what is typed, such as ^C, appears there and does not wrap.

    Parameters
    ----------
    state : RunState
    now : float
        Seconds since the epoch.
    width, height : int
        Size of the terminal.
    ascii_only : bool
        Whether the terminal can only show ASCII characters.
    """
    lines = [_header(state, now, width), _bar(state)]
    free = height - 2 - HEADER_LINES
    running, done = _shares(state, free)
    rows = _Rows(width, ascii_only)
    if running:
        _add_running(rows, state, now, running)
    if done:
        _add_done(rows, state, done)
    if running or done:
        lines.append(rows.table)
    return Group(*lines[: max(1, height - 2)], "")


def _shares(state, free):
    """Return how many rows the steps in progress and those that are done can have."""
    running = min(len(state.running), max(0, free - SECTION_LINES))
    free -= running + SECTION_LINES if running else 0
    done = min(len(state.finished), MAX_DONE, max(0, free - SECTION_LINES))
    return running, done


def _header(state, now, width):
    left = Text(f"{state.folder}, {count_of(state.cores, 'core')}", "bold")
    right = Text(" ".join(_status(state, now)))
    if left.cell_len + right.cell_len + 2 > width:
        left.truncate(max(0, width - right.cell_len - 2), overflow="crop")
    gap = max(1, width - left.cell_len - right.cell_len)
    line = Text.assemble(left, " " * gap, right, no_wrap=True, overflow="crop")
    line.truncate(width)
    return line


def _status(state, now):
    """Yield the parts of the text in the upper right corner."""
    elapsed = format_elapsed(max(0.0, now - state.started))
    if not state.is_planned and not state.n_steps:
        yield f"planning the steps, {elapsed}"
        return
    yield f"{state.n_done} of {state.n_steps} steps"
    if state.failed:
        yield f"({len(state.failed)} failed)"
    yield f"in {elapsed},"
    n_running = len(state.running)
    if state.signals or (state.failed and not state.keep_going):
        yield f"stopping after {n_running} more" if n_running else "stopping"
        return
    left = time_left(state, now)
    yield "time left unknown" if left is None else f"about {format_time(left)} left"


def _bar(state):
    style = "red" if state.failed or state.signals else "green"
    return _progress_bar(state.n_done, max(1, state.n_steps), style)


def _progress_bar(completed, total, style, width=None):
    bar = ProgressBar(total=total, completed=completed, width=width)
    bar.complete_style = bar.finished_style = style
    bar.style = "bright_black"
    # In a table, the bar ends its line.
    line = Table.grid(expand=width is None)
    line.add_row(bar)
    return line


class _Rows:
    """A table with the columns title, bar (in wide terminals), percent, time and time left."""

    def __init__(self, width, ascii_only):
        bar = BAR_WIDTH + GAP if width >= WIDE else 0
        self.title_width = max(MIN_TITLE, width - bar - sum(COLUMNS))
        self.ellipsis = "..." if ascii_only else "\N{HORIZONTAL ELLIPSIS}"
        self.has_bars = bool(bar)
        self.table = Table.grid()
        self.table.add_column(no_wrap=True, width=self.title_width)
        if bar:
            self.table.add_column(no_wrap=True, width=bar)
        for column in COLUMNS:
            self.table.add_column(no_wrap=True, justify="right", width=column)

    def add_section(self, title, left=""):
        """Add an empty line, and the title of the rows below."""
        self.table.add_row("")
        self._add(Text(title, "dim"), "", "", Text("time", "dim"), Text(left, "dim"))

    def add_step(self, title, time, progress=None, left=""):
        """Add a step with its time; `progress` is that of a step that is not done."""
        title = shorten_middle(f"  {title}", self.title_width - GAP, self.ellipsis)
        if progress is None:
            self._add(Text(title), "", "", time, left)
            return
        bar = _progress_bar(progress.fraction, 1.0, "green", BAR_WIDTH) if self.has_bars else ""
        self._add(Text(title), bar, f"{100 * progress.fraction:.0f} %", time, left)

    def add_note(self, text):
        """Add a line without times."""
        self._add(Text(f"  {text}", "dim"), "", "", "", "")

    def _add(self, title, bar, *cells):
        self.table.add_row(title, *([bar] if self.has_bars else []), *cells)


def shorten_middle(text, width, ellipsis):
    """Return a text of at most `width` columns, without its middle if it is longer.

    Titles of steps differ at the end, by dictionary and seed.
    """
    if cell_len(text) <= width:
        return text
    tail = min(MAX_TAIL, (width - len(ellipsis)) // 2)
    head = set_cell_size(text, max(0, width - len(ellipsis) - tail)).rstrip()
    return f"{head}{ellipsis}{text[len(text) - tail :]}"


def _add_running(rows, state, now, n_rows):
    """Add the steps in progress; those that do not fit are counted."""
    steps = list(state.running.values())
    shown = steps if len(steps) <= n_rows else steps[: n_rows - 1]
    rows.add_section("Running", "left")
    for step, seconds in zip(shown, step_times_left(state, shown, now), strict=True):
        # Nothing is known about a step that takes longer than expected.
        left = format_time(seconds) if seconds else ""
        rows.add_step(step.title, format_elapsed(now - step.started), step.progress, left)
    if len(shown) < len(steps):
        rows.add_note(f"and {len(steps) - len(shown)} more")


def _add_done(rows, state, n_rows):
    """Add the steps that were finished last, the latest first."""
    n_before = state.n_up_to_date
    rows.add_section(f"Done ({n_before} up to date before)" if n_before else "Done")
    for step in reversed(state.finished[-n_rows:]):
        rows.add_step(step.title, format_duration(step.seconds))
