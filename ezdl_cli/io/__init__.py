"""The only reader and writer of result files."""

from .arrays import load_array, new_array
from .benchmarks import Benchmark, load_benchmark, load_benchmarks
from .contents import list_arrays
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
from .history import (
    History,
    add_run,
    check_history_target,
    history_line,
    load_history,
)
from .lock import Locked, check_unlocked, lock
from .samples import check_patches_target, check_whitened, new_patches, open_samples, save_whitened
from .tables import load_table, load_tables, save_figure, save_table

__all__ = [
    "CHECKPOINT",
    "DICTIONARY",
    "Benchmark",
    "Dictionary",
    "History",
    "Locked",
    "add_run",
    "check_dictionary_target",
    "check_folder",
    "check_history_target",
    "check_matrices",
    "check_not_among",
    "check_patches_target",
    "check_results",
    "check_target",
    "check_unlocked",
    "check_whitened",
    "complete_file",
    "default_dictionary",
    "history_line",
    "list_arrays",
    "load_array",
    "load_benchmark",
    "load_benchmarks",
    "load_dictionary",
    "load_history",
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
