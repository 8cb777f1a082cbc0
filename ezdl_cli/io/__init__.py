"""Readers and writers of all files: each returns a record or raises `InputError`.

One module per kind of file; docs/formats.md describes the formats.
"""

# ruff: noqa: F401 (names for `io.load_dictionary` and the like)

from .atomic_files import (
    complete_file,
    new_name,
    read_whole,
    remove_leftovers,
    save_bytes,
    save_png,
    save_text,
    sync,
)
from .checkpoints import CHECKPOINT, Checkpoint, load_checkpoint, save_checkpoint
from .dictionaries import (
    DICTIONARY,
    MATRICES,
    Dictionary,
    default_dictionary,
    load_dictionary,
    save_dictionary,
)
from .json_formats import load_json
from .lock import Locked, acquire, check_unlocked, lock
from .manifests import (
    MANIFEST,
    Manifest,
    ManifestEntry,
    find_manifest,
    load_manifest,
    save_manifest,
)
from .metadata import DictionaryMetadata, SampleMetadata
from .npy import load_array, new_array
from .npz import list_arrays
from .paths import check_folder, check_not_among, check_results, check_source, check_target
from .restoration_examples import (
    RestorationExample,
    load_restoration_examples,
    save_restoration_examples,
)
from .run_configuration import CONFIGURATION, load_run_configuration, save_run_configuration
from .sample_files import new_patches, open_samples, save_whitened
from .step_times import StepTime, load_step_time, load_step_times
from .tables import load_table, load_tables, save_figure, save_table
