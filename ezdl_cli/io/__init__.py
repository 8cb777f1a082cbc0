"""The only reader and writer of result files."""

from .arrays import load_array, new_array
from .files import (
    check_folder,
    check_target,
    complete_file,
    new_name,
    remove_leftovers,
    sync,
)
from .samples import check_whitened, new_patches, open_samples, save_whitened
from .tables import load_table, save_figure, save_table

__all__ = [
    "check_folder",
    "check_target",
    "check_whitened",
    "complete_file",
    "load_array",
    "load_table",
    "new_array",
    "new_name",
    "new_patches",
    "open_samples",
    "remove_leftovers",
    "save_figure",
    "save_table",
    "save_whitened",
    "sync",
]
