"""Optional dependencies, the extras of pyproject.toml."""

from importlib.util import find_spec

from .errors import InputError

# The packages that this program imports, by the names of their modules.
PACKAGES = {
    "pdf": {"typst": "typst"},
    "pipeline": {
        "jsonschema": "jsonschema",
        "pygments": "pygments",
        "rich": "rich",
        "snakemake": "snakemake",
        "yaml": "pyyaml",
    },
}


def require_extra(extra, purpose):
    """Raise InputError if a package of an extra is not installed; say what it is needed for."""
    missing = [name for module, name in PACKAGES[extra].items() if not _is_installed(module)]
    if missing:
        needed = f"{', '.join(missing)} (the extra {extra})"
        raise InputError(f"{purpose} needs {needed}: pip install {' '.join(missing)}")


def _is_installed(module):
    """Return whether a module can be imported; a mere folder of this name does not count."""
    spec = find_spec(module)
    return spec is not None and spec.origin is not None
