"""Judged claims: `claims.json`, written by `ezdl claims`."""

from dataclasses import dataclass

from .json_formats import load_json


@dataclass(frozen=True)
class MeasuredValue:
    """One number that was compared with a claim."""

    what: str
    value: float | None
    """None if it was not measured."""
    needs: str
    """Condition such as "≥ 0.9"; empty if the value does not decide on the claim."""
    holds: bool | None


@dataclass(frozen=True)
class JudgedClaim:
    """A claim and the values that were measured for it."""

    id: str
    verdict: str
    measured: tuple[MeasuredValue, ...]


def load_claims(path):
    """Read the judged claims of a file as a list of `JudgedClaim`.

    Raises
    ------
    InputError
        If it cannot be read, or was not written by `ezdl claims`.
    """
    return [
        JudgedClaim(
            entry["id"],
            entry["verdict"],
            tuple(
                MeasuredValue(one["what"], one["value"], one["needs"], one["holds"])
                for one in entry["measured"]
            ),
        )
        for entry in load_json(path, "claims")
    ]
