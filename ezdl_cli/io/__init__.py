"""The only reader and writer of result files."""

from .dictionaries import (
    CHECKPOINT,
    DICTIONARY,
    Dictionary,
    check_dictionary_target,
    check_matrices,
    default_dictionary,
    load_dictionary,
    save_dictionary,
)
from .files import (
    check_folder,
    check_not_among,
    check_results,
    check_target,
    complete_file,
    new_name,
    read_json,
    read_whole,
    remove_leftovers,
    sync,
)
from .lock import Locked, check_unlocked, lock
from .npy import load_array, new_array
from .npz_headers import list_arrays
from .sample_files import (
    check_patches_target,
    check_whitened,
    new_patches,
    open_samples,
    save_whitened,
)
from .step_times import Benchmark, load_benchmark, load_benchmarks
from .tables import load_table, load_tables, save_figure, save_table

__all__ = [
    "CHECKPOINT",
    "DICTIONARY",
    "Benchmark",
    "Dictionary",
    "Locked",
    "check_dictionary_target",
    "check_folder",
    "check_matrices",
    "check_not_among",
    "check_patches_target",
    "check_results",
    "check_target",
    "check_unlocked",
    "check_whitened",
    "complete_file",
    "default_dictionary",
    "list_arrays",
    "load_array",
    "load_benchmark",
    "load_benchmarks",
    "load_dictionary",
    "load_table",
    "load_tables",
    "lock",
    "new_array",
    "new_name",
    "new_patches",
    "open_samples",
    "read_json",
    "read_whole",
    "remove_leftovers",
    "save_dictionary",
    "save_figure",
    "save_table",
    "save_whitened",
    "sync",
]
