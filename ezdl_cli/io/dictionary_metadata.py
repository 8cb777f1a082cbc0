"""Metadata of a dictionary: how it was trained."""

from dataclasses import dataclass, field, fields

from .json_formats import validate
from .sample_metadata import SampleMetadata


@dataclass(frozen=True, kw_only=True)
class DictionaryMetadata:
    """How a dictionary was trained; None for what is unknown, as of dictionaries made by hand."""

    algorithm: str | None = None
    command: str | None = None
    """Command line that trains the same dictionary."""
    parameters: dict = field(default_factory=dict)
    """Parameters of the learner, by name."""
    n_atoms: int | None = None
    n_epochs: int | None = None
    """Number of epochs of the complete training."""
    samples_per_epoch: int | None = None
    seed: int | None = None
    samples: SampleMetadata = field(default_factory=SampleMetadata)
    versions: dict = field(default_factory=dict)
    """Versions of packages, by name."""
    commit: str | None = None
    history: list | None = None
    """A dict for each completed epoch: its number `epoch`, and what the learner measured."""

    @property
    def epochs_done(self):
        """Number of completed epochs, or None if it is unknown."""
        return None if self.history is None else len(self.history)

    @classmethod
    def from_json(cls, content):
        """Parse a JSON object; raise ValueError if a known entry has the wrong type."""
        validate(content, "dictionary_metadata")
        names = {field.name for field in fields(cls)}
        known = {
            name: value for name, value in content.items() if name in names and value is not None
        }
        known["samples"] = SampleMetadata.from_json(known.get("samples", {}))
        return cls(**known)

    def to_json(self):
        """Return the JSON object that is written to a file."""
        return vars(self) | {"samples": self.samples.to_json()}
