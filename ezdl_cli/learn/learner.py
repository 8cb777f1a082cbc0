"""The interface of a learner: all that training, checkpoints, estimators and benchmarks rely on.

A learner is a module with two classes, a frozen dataclass derived from `LearnerParameters` and a
class derived from `Learner`; `odl.py` is a short example. It holds no clock, opens no file and
prints nothing: `training.train` calls it epoch by epoch and hands the statistics of each epoch to
a callback of the caller.
"""

from abc import ABC, abstractmethod

from .atoms import normalise_atoms


class LearnerParameters(ABC):
    """Parameters of a learner; the defaults of its fields are the only ones in the package."""

    @abstractmethod
    def check(self, n_atoms, n_features):
        """Raise ValueError if a parameter is out of range or does not fit the dictionary."""

    def resolve(self, n_atoms):
        """Return the parameters with values in place of those that depend on the atoms."""
        return self

    def constrain(self, W):
        """Enforce the constraints on the atoms in place: unit norm, unless overridden."""
        normalise_atoms(W)

    @abstractmethod
    def learner(self, W, n_samples_total):
        """Return the `Learner` that starts from the dictionary W.

        `n_samples_total` is the number of samples of all epochs together, for schedules.
        """


class Learner(ABC):
    """A dictionary during training.

    Attributes
    ----------
    W : array (n_atoms, n_features)
        The dictionary, one atom per row; `learn` updates it in place.
    parameters : LearnerParameters
        May be replaced between epochs.
    state : dict of arrays
        Everything besides `W` that the next epoch depends on. Checkpoints store `W` and `state`,
        and resume by assigning to these arrays in place.
    """

    REMEDY = "scale the samples down"
    """What to do if the values do not stay finite, for the error message."""

    def __init__(self, W, parameters, state=None):
        self.W, self.parameters, self.state = W, parameters, state or {}

    @abstractmethod
    def learn(self, samples, indices, epoch, rng):
        """Learn from samples in order, for one epoch.

        Parameters
        ----------
        samples : Samples
        indices : array (m,) of int
            Which samples, in order.
        epoch : int
            Number of the epoch, from 1.
        rng : numpy.random.Generator
            For all that is random in this epoch.

        Returns
        -------
        dict from str to float
            Statistics of the epoch. The first one measures the quality of the dictionary: progress
            bars show it, and estimators record it in `history_`.
        """
