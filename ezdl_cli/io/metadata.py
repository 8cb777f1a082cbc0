"""Metadata of dictionaries and samples: how they were produced.

`io/schemas` describes each field; None stands for unknown values.
"""

from dataclasses import dataclass, field, replace

from .json_formats import parse


@dataclass(frozen=True, kw_only=True)
class SampleMetadata:
    """Origin of patches, or of whitened samples, which have `components` and `patches`."""

    fingerprint: str | None = None
    n_samples: int | None = None
    patch_size: int | None = None
    per_image: int | None = None
    seed: int | None = None
    source: str | None = None
    manifest_sha256: str | None = None
    images: list | None = None
    left_out: list | None = None
    components: int | None = None
    patches: "SampleMetadata | None" = None

    @classmethod
    def from_json(cls, content):
        """Parse a JSON object; raise ValueError if an entry has the wrong type."""
        found = parse(cls, content, "sample_metadata")
        return replace(found, patches=found.patches and cls.from_json(found.patches))

    def to_json(self):
        """Return a JSON object of what is known."""
        known = {name: value for name, value in vars(self).items() if value is not None}
        return known | ({"patches": self.patches.to_json()} if self.patches else {})

    def without_images(self):
        """Return a copy without the lists of images, which can be long."""
        patches = self.patches and self.patches.without_images()
        return replace(self, images=None, left_out=None, patches=patches)


@dataclass(frozen=True, kw_only=True)
class DictionaryMetadata:
    """Training of a dictionary."""

    algorithm: str | None = None
    command: str | None = None
    parameters: dict = field(default_factory=dict)
    n_atoms: int | None = None
    n_epochs: int | None = None
    samples_per_epoch: int | None = None
    seed: int | None = None
    samples: SampleMetadata = field(default_factory=SampleMetadata)
    versions: dict = field(default_factory=dict)
    commit: str | None = None
    history: list | None = None

    @property
    def epochs_done(self):
        """Number of completed epochs, or None if it is unknown."""
        return None if self.history is None else len(self.history)

    @classmethod
    def from_json(cls, content):
        """Parse a JSON object; raise ValueError if an entry has the wrong type."""
        found = parse(cls, content, "dictionary_metadata")
        return replace(found, samples=SampleMetadata.from_json(content.get("samples") or {}))

    def to_json(self):
        """Return the JSON object that is written to a file."""
        return vars(self) | {"samples": self.samples.to_json()}
