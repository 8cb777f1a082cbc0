"""The learners as scikit-learn estimators; fields of the classes are their parameters."""

from dataclasses import dataclass
from typing import Literal

from ..coding.lasso import lasso
from ..coding.ormp import ormp
from ..core.parameter_validation import check_positive_integer
from . import DEFAULT_N_ATOMS, DEFAULT_N_EPOCHS, DEFAULT_SAMPLES_PER_EPOCH
from .dictionary_estimator import Callback, DictionaryEstimator
from .ezdl import EZDLParameters
from .ezdl_codes import ezdl_codes
from .odl import ODLParameters
from .random_state import RandomStateLike
from .rls_dla import RLSDLAParameters


@dataclass(eq=False, repr=False)
class EZDL(DictionaryEstimator):
    """Easy Dictionary Learning (Thom, Rapp and Palm 2015).

    Codes are projections of filter responses to a given sparseness, and each sample moves the atoms
    of its code so that the approximation correlates more with the sample.

    Parameters
    ----------
    n_components : int, default=256
        Number of atoms.
    sparseness : float, default=0.85
        Hoyer's sparseness of the codes, between 0 and 1.
    n_epochs : int, default=100
        Number of epochs of `fit`.
    samples_per_epoch : int, default=30000
        Number of samples that are drawn in each epoch of `fit`, with replacement.
    step_size : float, default=1.0
        Step size in the first epoch; it is divided by the number of the epoch.
    inference : {"ordinary", "topographic", "rank"}, default="ordinary"
        How codes are inferred: by projection, by projection of responses that are averaged over
        neighbours on a grid, or as codes of low rank on a grid.
    grid : tuple (rows, columns), default=None
        Layout of the atoms for "topographic" and "rank". If None, as square as possible.
    pooling : int, default=3
        Width of the neighbourhood that "topographic" averages over, odd.
    code_rank : int, default=1
        Rank of the codes on the grid for "rank".
    atom_sparseness : float, default=None
        Hoyer's sparseness of the atoms, between 0 and 1. If None, it is not constrained.
    atom_rank : int, default=None
        Rank of the atoms, for samples that are square patches; 1 learns separable atoms. If None,
        it is not constrained.
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
    random_state : int, RandomState, Generator or None, default=None
        Determines the initial atoms, the samples of each epoch and the noise. Pass an integer for
        reproducible results; a generator of NumPy is advanced by each fit.
    callback : callable (epoch, W), default=None
        Called after each epoch with its number, from 1, and the atoms.

    Attributes
    ----------
    components_ : ndarray of shape (n_components, n_features)
        The atoms, of unit norm.
    history_ : list of float
        Mean correlation of the samples with their approximations, per epoch.
    n_iter_ : int
        Number of epochs so far.
    n_features_in_ : int
        Number of features of the samples.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, if the samples were a data frame.

    See Also
    --------
    ODL : Codes with an L1 penalty.
    RLSDLA : Codes with a given number of nonzeros.

    Notes
    -----
    `transform` scales codes such that `inverse_transform` approximates the samples best.

    References
    ----------
    Thom, M., Rapp, M., & Palm, G. (2015). Efficient dictionary learning with sparseness-enforcing
    projections. International Journal of Computer Vision, 114(2-3), 168-194.

    Examples
    --------
    >>> import numpy as np
    >>> import ezdl_cli as ez
    >>> X = np.random.default_rng(0).standard_normal((500, 16))
    >>> learner = ez.EZDL(32, sparseness=0.8, n_epochs=5, samples_per_epoch=500, random_state=0)
    >>> codes = learner.fit_transform(X)
    >>> codes.shape, float(ez.sparseness(codes).mean().round(6))
    ((500, 32), 0.8)
    """

    _parameters_class = EZDLParameters

    n_components: int = DEFAULT_N_ATOMS
    sparseness: float = EZDLParameters.sparseness
    n_epochs: int = DEFAULT_N_EPOCHS
    samples_per_epoch: int = DEFAULT_SAMPLES_PER_EPOCH
    step_size: float = EZDLParameters.step_size
    inference: Literal["ordinary", "topographic", "rank"] = EZDLParameters.inference
    grid: tuple[int, int] | None = EZDLParameters.grid
    pooling: int = EZDLParameters.pooling
    code_rank: int = EZDLParameters.code_rank
    atom_sparseness: float | None = EZDLParameters.atom_sparseness
    atom_rank: int | None = EZDLParameters.atom_rank
    noise: float = EZDLParameters.noise
    noise_decay: float = EZDLParameters.noise_decay
    gradient: Literal["short", "full"] = EZDLParameters.gradient
    transform_iterations: int = 1
    random_state: RandomStateLike = None
    callback: Callback | None = None

    def _parameters(self, n_atoms, n_features):
        check_positive_integer("transform_iterations", self.transform_iterations)
        if self.transform_iterations > 1 and self.inference != "ordinary":
            raise ValueError(
                "transform_iterations must be 1 unless inference is 'ordinary', "
                f"not {self.transform_iterations}"
            )
        return super()._parameters(n_atoms, n_features)

    def _encode(self, X, W, parameters):
        return ezdl_codes(X, W, parameters, self.transform_iterations)


@dataclass(eq=False, repr=False)
class ODL(DictionaryEstimator):
    """Online Dictionary Learning (Mairal, Bach, Ponce and Sapiro 2009).

    Codes are those of the lasso, and the atoms minimise the error for all codes so far, where later
    ones count more.

    Parameters
    ----------
    n_components : int, default=256
        Number of atoms.
    alpha : float, default=2.0
        Penalty of the lasso codes h, which minimise ½‖x - h W‖² + alpha ‖h‖₁.
    batch_size : int, default=512
        Number of samples between two updates of the dictionary.
    n_epochs : int, default=100
        Number of epochs of `fit`.
    samples_per_epoch : int, default=30000
        Number of samples that are drawn in each epoch of `fit`, with replacement.
    random_state : int, RandomState, Generator or None, default=None
        Determines the initial atoms and the samples of each epoch. Pass an integer for reproducible
        results; a generator of NumPy is advanced by each fit.
    callback : callable (epoch, W), default=None
        Called after each epoch with its number, from 1, and the atoms.

    Attributes
    ----------
    components_ : ndarray of shape (n_components, n_features)
        The atoms, of unit norm.
    history_ : list of float
        Mean objective per epoch; that of each sample is computed with the dictionary at that time.
    n_iter_ : int
        Number of epochs so far.
    n_features_in_ : int
        Number of features of the samples.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, if the samples were a data frame.

    See Also
    --------
    lasso : The codes that `transform` computes.

    References
    ----------
    Mairal, J., Bach, F., Ponce, J., & Sapiro, G. (2009). Online dictionary learning for sparse
    coding. Proceedings of ICML, 689-696.

    Examples
    --------
    >>> import numpy as np
    >>> import ezdl_cli as ez
    >>> X = np.random.default_rng(0).standard_normal((500, 16))
    >>> learner = ez.ODL(32, alpha=0.5, n_epochs=5, samples_per_epoch=500, random_state=0)
    >>> codes = learner.fit_transform(X)
    >>> codes.shape, learner.history_[-1] < learner.history_[0]
    ((500, 32), True)
    """

    _parameters_class = ODLParameters

    n_components: int = DEFAULT_N_ATOMS
    alpha: float = ODLParameters.alpha
    batch_size: int = ODLParameters.batch_size
    n_epochs: int = DEFAULT_N_EPOCHS
    samples_per_epoch: int = DEFAULT_SAMPLES_PER_EPOCH
    random_state: RandomStateLike = None
    callback: Callback | None = None

    def _encode(self, X, W, parameters):
        return lasso(X, W, parameters.alpha)


@dataclass(eq=False, repr=False)
class RLSDLA(DictionaryEstimator):
    """Recursive Least Squares Dictionary Learning Algorithm (Skretting and Engan 2010).

    Codes have a given number of nonzeros, and after each sample the atoms are the least-squares
    solution for all codes so far, where later ones count more.

    Parameters
    ----------
    n_components : int, default=256
        Number of atoms.
    n_nonzero : int, default=4
        Number of nonzeros of a code; limited by the numbers of features and atoms.
    forgetting : float, default=0.99
        Forgetting factor at the start; it rises to 1 as a cubic function.
    forgetting_samples : int, default=None
        Number of samples over which the forgetting factor rises. If None, `n_epochs` times
        `samples_per_epoch`.
    n_epochs : int, default=100
        Number of epochs of `fit`.
    samples_per_epoch : int, default=30000
        Number of samples that are drawn in each epoch of `fit`, with replacement.
    random_state : int, RandomState, Generator or None, default=None
        Determines the initial atoms and the samples of each epoch. Pass an integer for reproducible
        results; a generator of NumPy is advanced by each fit.
    callback : callable (epoch, W), default=None
        Called after each epoch with its number, from 1, and the atoms.

    Attributes
    ----------
    components_ : ndarray of shape (n_components, n_features)
        The atoms, of unit norm.
    history_ : list of float
        Squared error of the approximations relative to the squared norm of the samples, per epoch.
    n_iter_ : int
        Number of epochs so far.
    n_features_in_ : int
        Number of features of the samples.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, if the samples were a data frame.

    See Also
    --------
    ormp : The codes that `transform` computes.

    References
    ----------
    Skretting, K., & Engan, K. (2010). Recursive least squares dictionary learning algorithm. IEEE
    Transactions on Signal Processing, 58(4), 2121-2130.

    Examples
    --------
    >>> import numpy as np
    >>> import ezdl_cli as ez
    >>> X = np.random.default_rng(0).standard_normal((500, 16))
    >>> learner = ez.RLSDLA(32, n_nonzero=3, n_epochs=5, samples_per_epoch=500, random_state=0)
    >>> codes = learner.fit_transform(X)
    >>> codes.shape, int((codes != 0.0).sum(axis=1).max())
    ((500, 32), 3)
    """

    n_components: int = DEFAULT_N_ATOMS
    n_nonzero: int = RLSDLAParameters.n_nonzero
    forgetting: float = RLSDLAParameters.forgetting
    forgetting_samples: int | None = RLSDLAParameters.forgetting_samples
    n_epochs: int = DEFAULT_N_EPOCHS
    samples_per_epoch: int = DEFAULT_SAMPLES_PER_EPOCH
    random_state: RandomStateLike = None
    callback: Callback | None = None

    def _parameters(self, n_atoms, n_features):
        check_positive_integer("n_nonzero", self.n_nonzero)
        n_nonzero = min(self.n_nonzero, n_atoms, n_features)
        return RLSDLAParameters(n_nonzero, self.forgetting, self.forgetting_samples)

    def _encode(self, X, W, parameters):
        return ormp(X, W, parameters.n_nonzero)
