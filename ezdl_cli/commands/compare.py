"""`ezdl compare`: how much the atoms of dictionaries are those of another one."""

import click

from .. import io
from ..errors import InputError
from ..experiments.resemblance import best_cosines, shuffled
from ._shared.options import seed


@click.command(epilog="Example: ezdl compare final.npz final.epoch-0001.npz resemblance.csv")
@click.argument("reference", metavar="DICT.npz", type=click.Path())
@click.argument("others", metavar="OTHER.npz...", type=click.Path(), nargs=-1, required=True)
@click.argument("target", metavar="TABLE.csv", type=click.Path())
@seed
def command(reference, others, target, seed):
    """Find the atoms of other dictionaries in DICT.npz.

    TABLE.csv has a row for each atom of the others: the largest absolute cosine between it and an
    atom of DICT.npz, and the same after its pixels were shuffled, to know what chance gives.
    """
    io.check_target(target)
    io.check_not_among(target, [reference, *others])
    known = io.load_dictionary(reference)
    rows = []
    for source in others:
        other = io.load_dictionary(source)
        if other.pixels.shape[1] != known.pixels.shape[1]:
            raise InputError(f"{source}: has atoms of another size than {reference}")
        history = other.meta.get("history")
        epoch = len(history) if isinstance(history, list) else 0
        found = best_cosines(other.pixels, known.pixels)
        by_chance = best_cosines(shuffled(other.pixels, seed), known.pixels)
        pairs = zip(found.tolist(), by_chance.tolist(), strict=True)
        rows += [(source, epoch, atom, *pair) for atom, pair in enumerate(pairs)]
    names = ("dictionary", "epochs", "atom", "cosine", "shuffled_cosine")
    columns = map(list, zip(*rows, strict=True))
    io.save_table(target, dict(zip(names, columns, strict=True)))
