"""The learners as scikit-learn estimators; fields of the classes are their parameters."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.random import RandomState

from ..coding.inference import encode, scale_codes
from ..coding.landweber import landweber_codes
from ..coding.lasso import lasso
from ..coding.ormp import ormp
from ..core.parameter_validation import check_positive_integer
from ..core.scaling import scale_down, scale_up, scaling_exponents
from ..parallel import for_each_part
from . import DEFAULT_N_ATOMS, DEFAULT_N_EPOCHS, DEFAULT_SAMPLES_PER_EPOCH
from .dictionary_estimator import PART_SAMPLES, DictionaryEstimator
from .ezdl import EZDLParameters
from .odl import ODLParameters
from .rls_dla import RLSDLAParameters


@dataclass(eq=False, repr=False)
class EZDL(DictionaryEstimator):
    """Easy Dictionary Learning (Thom, Rapp and Palm 2015).

    Parameters
    ----------
    n_components : int, default=256
        Number of atoms.
    sparseness : float, default=0.85
        Hoyer's sparseness of the codes, between 0 and 1.
    n_epochs, samples_per_epoch : int, default=100 and 30000
        Number of epochs, and of samples drawn in each.
    step_size : float, default=1.0
        Step size in the first epoch; it is divided by the number of the epoch.
    inference : {"ordinary", "topographic", "rank"}, default="ordinary"
        How codes are inferred: by projection, by projection of responses that are averaged over
        neighbours on a grid, or as codes of low rank on a grid.
    grid : (rows, columns), optional
        Layout of the atoms for "topographic" and "rank"; by default as square as possible.
    pooling : int, default=3
        Width of the neighbourhood that "topographic" averages over, odd.
    code_rank : int, default=1
        Rank of the codes on the grid for "rank".
    atom_sparseness : float, optional
        Hoyer's sparseness of the atoms, between 0 and 1.
    atom_rank : int, optional
        Rank of the atoms, for samples that are square patches; 1 learns separable atoms.
    noise : float, default=0.0
        Standard deviation of the noise added to the codes in the first epoch.
    noise_decay : float, default=0.9
        Factor applied to the noise after each epoch.
    gradient : {"short", "full"}, default="short"
        Whether the update leaves out the gradient of the inference model, as in the paper; "full"
        is for "ordinary" inference.
    transform_iterations : int, default=1
        Number of Landweber iterations of `transform`, for "ordinary" inference; 1 infers codes as
        training does. More iterations raise the correlation of samples with their approximations,
        and work best for samples of zero mean.
    random_state : int, RandomState instance or None, default=None
        Determines the initial atoms, the samples of each epoch and the noise. Pass an int for
        reproducible results.
    callback : callable (epoch, W), optional
        Called after each epoch.

    Attributes
    ----------
    components_ : ndarray of shape (n_components, n_features)
        The atoms, of unit norm.
    history_ : list of float
        Mean correlation of the samples with their approximations, per epoch.
    n_iter_ : int
        Number of epochs so far.
    """

    _parameters_class = EZDLParameters

    n_components: int = DEFAULT_N_ATOMS
    sparseness: float = EZDLParameters.sparseness
    n_epochs: int = DEFAULT_N_EPOCHS
    samples_per_epoch: int = DEFAULT_SAMPLES_PER_EPOCH
    step_size: float = EZDLParameters.step_size
    inference: str = EZDLParameters.inference
    grid: tuple | None = EZDLParameters.grid
    pooling: int = EZDLParameters.pooling
    code_rank: int = EZDLParameters.code_rank
    atom_sparseness: float | None = EZDLParameters.atom_sparseness
    atom_rank: int | None = EZDLParameters.atom_rank
    noise: float = EZDLParameters.noise
    noise_decay: float = EZDLParameters.noise_decay
    gradient: str = EZDLParameters.gradient
    transform_iterations: int = 1
    random_state: int | RandomState | None = None
    callback: Callable | None = None

    def _parameters(self, n_atoms, n_features):
        check_positive_integer("transform_iterations", self.transform_iterations)
        if self.transform_iterations > 1 and self.inference != "ordinary":
            raise ValueError(
                "transform_iterations must be 1 unless inference is 'ordinary', "
                f"not {self.transform_iterations}"
            )
        return super()._parameters(n_atoms, n_features)

    def _encode(self, X, W, parameters):
        """Return inferred codes, scaled to minimise the error of `inverse_transform`."""
        exponent = scaling_exponents(X, axis=1)
        X = scale_down(X, exponent)
        if self.transform_iterations == 1:
            codes = self._infer(X, W, parameters)
        else:
            codes, _, _ = landweber_codes(X, W, self.sparseness, [self.transform_iterations])
        for_each_part(lambda part: scale_codes(X[part], W, codes[part]), len(X), PART_SAMPLES)
        return scale_up(codes, exponent, codes.dtype) if exponent.any() else codes

    def _infer(self, X, W, parameters):
        """Return codes as training infers them."""
        model, codes = parameters.model(len(W)), np.empty((len(X), len(W)), W.dtype)

        def infer(part):
            codes[part] = encode(X[part], W, model)

        for_each_part(infer, len(X), PART_SAMPLES)
        return codes


@dataclass(eq=False, repr=False)
class ODL(DictionaryEstimator):
    """Online Dictionary Learning (Mairal, Bach, Ponce and Sapiro 2009).

    Parameters
    ----------
    n_components : int, default=256
        Number of atoms.
    alpha : float, default=2.0
        Penalty of the lasso codes h, which minimise ½‖x - h W‖² + alpha ‖h‖₁.
    batch_size : int, default=512
        Number of samples between two updates of the dictionary.
    n_epochs, samples_per_epoch, random_state, callback
        As for `EZDL`.

    Attributes
    ----------
    components_, n_iter_
        As for `EZDL`.
    history_ : list of float
        Mean objective per epoch; that of each sample is computed with the dictionary at that time.
    """

    _parameters_class = ODLParameters

    n_components: int = DEFAULT_N_ATOMS
    alpha: float = ODLParameters.alpha
    batch_size: int = ODLParameters.batch_size
    n_epochs: int = DEFAULT_N_EPOCHS
    samples_per_epoch: int = DEFAULT_SAMPLES_PER_EPOCH
    random_state: int | RandomState | None = None
    callback: Callable | None = None

    def _encode(self, X, W, parameters):
        return lasso(X, W, parameters.alpha)


@dataclass(eq=False, repr=False)
class RLSDLA(DictionaryEstimator):
    """Recursive Least Squares Dictionary Learning Algorithm (Skretting and Engan 2010).

    Parameters
    ----------
    n_components : int, default=256
        Number of atoms.
    n_nonzero : int, default=4
        Number of nonzeros of a code; limited by the numbers of features and atoms.
    forgetting : float, default=0.99
        Forgetting factor at the start; it rises to 1 as a cubic function.
    forgetting_samples : int, optional
        Number of samples over which the forgetting factor rises; by default `n_epochs` times
        `samples_per_epoch`.
    n_epochs, samples_per_epoch, random_state, callback
        As for `EZDL`.

    Attributes
    ----------
    components_, n_iter_
        As for `EZDL`.
    history_ : list of float
        Squared error of the approximations relative to the squared norm of the samples, per epoch.
    """

    n_components: int = DEFAULT_N_ATOMS
    n_nonzero: int = RLSDLAParameters.n_nonzero
    forgetting: float = RLSDLAParameters.forgetting
    forgetting_samples: int | None = RLSDLAParameters.forgetting_samples
    n_epochs: int = DEFAULT_N_EPOCHS
    samples_per_epoch: int = DEFAULT_SAMPLES_PER_EPOCH
    random_state: int | RandomState | None = None
    callback: Callable | None = None

    def _parameters(self, n_atoms, n_features):
        check_positive_integer("n_nonzero", self.n_nonzero)
        n_nonzero = min(self.n_nonzero, n_atoms, n_features)
        return RLSDLAParameters(n_nonzero, self.forgetting, self.forgetting_samples)

    def _encode(self, X, W, parameters):
        return ormp(X, W, parameters.n_nonzero)
