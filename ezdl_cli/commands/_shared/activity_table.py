"""The table of `ezdl train ezdl --activity`."""

from dataclasses import dataclass

from ... import io
from ...learn.activity import BLOCK_SAMPLES
from .dictionary_columns import dictionary_columns
from .option_errors import option_errors
from .output_paths import check_outputs

MEASURES = ("never_active", "population_sparseness", "lifetime_sparseness")


@dataclass(frozen=True)
class ActivityTable:
    """Where the activity of the atoms is written, and for which epochs; none if `path` is None."""

    path: str | None = None
    epochs: tuple = ()

    @classmethod
    def from_options(cls, options, source, target):
        """Take the options of the table out of those of a training, and check them."""
        path, epochs = options.pop("activity", None), options.pop("activity_epochs", ())
        n_epochs = options["epochs"]
        with option_errors():
            if path is None and epochs:
                raise ValueError("activity_epochs needs --activity TABLE.csv")
            if path is None:
                return cls()
            if max(epochs, default=1) > n_epochs:
                raise ValueError(f"activity_epochs must be at most {n_epochs}, the last epoch")
            if options["samples_per_epoch"] < BLOCK_SAMPLES:
                raise ValueError(f"samples_per_epoch must be at least {BLOCK_SAMPLES}")
        check_outputs([path, target], [source])
        return cls(path, tuple(sorted(set(epochs or (1, n_epochs)))))

    def unmeasured(self, history):
        """Return the epochs of the table that are in the history without their activity."""
        past = [entry["epoch"] for entry in history if "never_active" not in entry]
        return [epoch for epoch in past if epoch in self.epochs]

    def save(self, source, dictionary, history):
        """Write the table, one row per epoch; `source` is the path of the dictionary."""
        if self.path is None:
            return
        about = dictionary_columns(source, dictionary)
        by_epoch = {entry["epoch"]: entry for entry in history}
        rows = [
            about | {"epoch": epoch} | {name: by_epoch[epoch].get(name, "") for name in MEASURES}
            for epoch in self.epochs
        ]
        io.save_table(self.path, {name: [row[name] for row in rows] for name in rows[0]})


def without_activity(history):
    """Return the history of a training without the activity of the atoms."""
    return [
        {name: value for name, value in entry.items() if name not in MEASURES} for entry in history
    ]
