"""`ezdl compare`: measure how similar the atoms of dictionaries are."""

from .. import io
from ..errors import InputError
from ..experiments.resemblance import best_cosines, shuffled
from ._shared.common_options import seed_option
from ._shared.dictionary_columns import dictionary_columns
from ._shared.grouped_help import new_command, path_argument
from ._shared.output_paths import check_outputs


@new_command("ezdl compare final.npz final.epoch-0001.npz resemblance.csv")
@path_argument("reference", metavar="DICT.npz")
@path_argument("others", metavar="OTHER.npz...", nargs=-1, required=True)
@path_argument("target", metavar="TABLE.csv")
@seed_option
def command(reference, others, target, seed):
    """Compare the atoms of other dictionaries with those of DICT.npz.

    TABLE.csv has one row per atom of the other dictionaries: its largest absolute cosine similarity
    to an atom of DICT.npz, and the same after shuffling its pixels, as a baseline.
    """
    check_outputs([target], [reference, *others])
    known = io.load_dictionary(reference)
    columns = {}
    for source in others:
        other = io.load_dictionary(source)
        if other.pixels.shape[1] != known.pixels.shape[1]:
            raise InputError(
                f"{source}: its atoms differ in size from those of {reference}; "
                "choose dictionaries of the same patch size"
            )
        n_atoms = len(other.pixels)
        rows = {
            name: [value] * n_atoms for name, value in dictionary_columns(source, other).items()
        }
        rows["atom"] = list(range(n_atoms))
        rows["cosine"] = best_cosines(other.pixels, known.pixels).tolist()
        permuted = shuffled(other.pixels, seed)
        rows["shuffled_cosine"] = best_cosines(permuted, known.pixels).tolist()
        columns = {name: columns.get(name, []) + values for name, values in rows.items()}
    io.save_table(target, columns)
