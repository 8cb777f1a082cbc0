"""Columns that describe a dictionary in every row of a table of observations."""

from pathlib import Path

# Columns of the table, and the names of these parameters in the metadata of a dictionary.
PARAMETERS = {
    "sigma_h": "sparseness",
    "lambda": "alpha",
    "zeta": "n_nonzero",
    "eta0": "step_size",
    "inference": "inference",
    "gradient": "gradient",
    "noise": "noise",
}


def dictionary_columns(source, dictionary, parameters=PARAMETERS):
    """Return name, parameters, epochs, samples and atoms of a dictionary, "" if unknown.

    `parameters` maps columns of parameters to their names in the metadata.
    """
    metadata = dictionary.metadata
    columns = {
        "dictionary": Path(source).name,
        "algorithm": metadata.algorithm,
        **{column: metadata.parameters.get(name) for column, name in parameters.items()},
        "seed": metadata.seed,
        "epoch": metadata.epochs_done,
        "samples_per_epoch": metadata.samples_per_epoch,
        "n_atoms": len(dictionary.W),
    }
    return {name: "" if value is None else value for name, value in columns.items()}
