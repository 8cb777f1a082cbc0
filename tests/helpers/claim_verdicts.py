"""Verdicts on claims from synthetic results."""

import pytest
from helpers.synthetic_results import Results

from ezdl_cli.claims import CLAIMS, findings
from ezdl_cli.claims.claim import judge
from ezdl_cli.claims.evidence import Evidence

IDS = (
    *(f"P{i}" for i in range(1, 13)),
    *(f"D{i}" for i in range(1, 19)),
    *(f"R{i}" for i in range(1, 13)),
    *(f"S{i}" for i in range(1, 9)),
    *(f"N{i}" for i in range(1, 5)),
    *("X1", "X2", "X3"),
)
YES, NO, OPEN, UNSURE = "reproduced", "not reproduced", "not measured", "undecided"


def verdicts(*sources):
    """The verdict on each claim."""
    return {finding.claim.id: finding.verdict for finding in findings(sources)}


def by_cases(cases):
    """Parametrize a test by cases: id of a claim, what differs, the change, and the verdict."""
    return pytest.mark.parametrize(
        ("identifier", "change", "expected"),
        [(case[0], *case[2:]) for case in cases],
        ids=[f"{case[0]}: {case[1]}" for case in cases],
    )


def finding_after(folder, identifier, change):
    """The finding on a claim after a change of the results."""
    results = Results()
    change(results)
    return judge(claim(identifier), Evidence([results.write(folder)]))


def verdict_after(folder, identifier, change):
    """The verdict on a claim after a change of the results."""
    return finding_after(folder, identifier, change).verdict


def claim(identifier):
    """The claim with this id."""
    return next(one for one in CLAIMS if one.id == identifier)
