"""What is said of a dictionary in every row of a table."""

from pathlib import Path

# Columns of the table, and what they are called in the metadata of a dictionary.
FACTS = {
    "algorithm": "algorithm",
    "dictionary_sparseness": "sparseness",
    "lambda": "alpha",
    "nonzeros": "n_nonzero",
    "step_size": "step_size",
    "inference": "inference",
    "seed": "seed",
}


def facts_of(source, dictionary, facts=FACTS):
    """Name, parameters, epochs and number of atoms of a dictionary; empty what is not known.

    Parameters
    ----------
    source : path of its file
    dictionary : io.Dictionary
    facts : dict
        Columns, and what they are called in the metadata.

    Returns
    -------
    dict from column to a word or a number
    """
    meta = dictionary.meta
    known = meta | (meta["parameters"] if isinstance(meta.get("parameters"), dict) else {})
    found = {name: known.get(key) for name, key in facts.items()}
    history = meta.get("history")
    return {
        "dictionary": Path(source).name,
        **{
            name: fact if isinstance(fact, str | int | float) else ""
            for name, fact in found.items()
        },
        "epochs": len(history) if isinstance(history, list) else "",
        "n_atoms": len(dictionary.W),
    }
