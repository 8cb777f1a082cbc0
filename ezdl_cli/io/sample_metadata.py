"""Metadata of samples: where patches or whitened samples come from."""

from dataclasses import dataclass, fields, replace

from .json_formats import validate


@dataclass(frozen=True, kw_only=True)
class SampleMetadata:
    """Origin of samples; None for what is unknown or does not apply."""

    fingerprint: str | None = None
    """Checksum of some samples, in the metadata of dictionaries."""
    n_samples: int | None = None
    patch_size: int | None = None
    """Height and width of patches in pixels."""
    per_image: int | None = None
    """Patches per image."""
    seed: int | None = None
    source: str | None = None
    """Folder of the images, or file of the samples that were whitened."""
    manifest_sha256: str | None = None
    """Checksum of the manifest of the image collection."""
    images: list | None = None
    """Name, size, checksum and number of patches of each image."""
    left_out: list | None = None
    """Names of images that could not be used."""
    components: int | None = None
    """Principal components of whitened samples."""
    patches: "SampleMetadata | None" = None
    """Origin of the samples that were whitened."""

    @classmethod
    def from_json(cls, content):
        """Parse a JSON object; raise ValueError if a known entry has the wrong type."""
        validate(content, "sample_metadata")
        return cls._from_valid(content)

    @classmethod
    def _from_valid(cls, content):
        known = {field.name: content.get(field.name) for field in fields(cls)}
        if known["patches"] is not None:
            known["patches"] = cls._from_valid(known["patches"])
        return cls(**known)

    def to_json(self):
        """Return a JSON object of what is known."""
        known = {name: value for name, value in vars(self).items() if value is not None}
        if self.patches is not None:
            known["patches"] = self.patches.to_json()
        return known

    def without_images(self):
        """Return a copy without the lists of images, which can be long."""
        patches = None if self.patches is None else self.patches.without_images()
        return replace(self, images=None, left_out=None, patches=patches)
