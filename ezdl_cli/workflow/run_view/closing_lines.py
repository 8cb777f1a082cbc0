"""What a run has found: the verdict on the claims, and where the report is."""

from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.text import Text

from ... import io
from ...claims.claim import NOT_REPRODUCED
from ...claims.claim_formats import count, load_findings
from ...errors import InputError
from ...report.run_facts import PAPER_EPOCHS, limits_of
from .terminal_size import terminal_size


@dataclass(frozen=True)
class Verdict:
    """The verdict on the claims of a run."""

    summary: str
    not_reproduced: tuple
    """(id, statement) of the claims that were not reproduced."""


def load_verdict(folder):
    """Return the verdict in a folder of results, or None if there is none."""
    try:
        findings = load_findings(folder / "claims.json")
    except (InputError, OSError):
        return None
    failed = [one.claim for one in findings if one.verdict == NOT_REPRODUCED]
    return Verdict(count(findings), tuple((claim.id, claim.statement) for claim in failed))


def _epochs(folder):
    """Return the number of training epochs of a run; that of the paper if it is unknown."""
    try:
        return int(io.load_run_configuration(folder)["training"]["epochs"])
    except (InputError, LookupError, TypeError, ValueError):
        return PAPER_EPOCHS


def print_closing_lines(stream, folder):
    """Print the verdict, the claims that were not reproduced, and the path of the report.

    In a terminal each claim is shortened to one line.
    """
    console = Console(file=stream, highlight=False, markup=False)
    console.size = terminal_size(stream)
    verdict = load_verdict(folder)
    if verdict is not None:
        console.print(Text(verdict.summary, "bold"), soft_wrap=True)
        if verdict.not_reproduced:
            console.print("Not reproduced:")
        for name, statement in verdict.not_reproduced:
            line = Text(f"  {name:4} {statement}")
            if console.is_terminal:
                overflow = "crop" if console.options.ascii_only else "ellipsis"
                line.truncate(console.width, overflow=overflow)
            console.print(line, soft_wrap=True)
        if (epochs := _epochs(folder)) < PAPER_EPOCHS:
            console.print(limits_of(epochs), soft_wrap=True)
    if (folder / "report.html").is_file():
        console.print(f"Report: {Path(folder, 'report.html')}", soft_wrap=True)
