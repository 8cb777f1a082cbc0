"""The learners as estimators in the manner of scikit-learn, which need not be installed."""

from ..coding.arguments import check_whole, exponents, scaled_down, scaled_up
from ..coding.inference import encode, scale_codes
from ..coding.landweber import code_and_reproduce
from ..coding.lasso import lasso
from ..coding.ormp import ormp
from . import ezdl, odl, rls_dla
from .base import DictionaryEstimator


class EZDL(DictionaryEstimator):
    """Easy Dictionary Learning (Thom, Rapp and Palm 2015).

    Parameters
    ----------
    n_components : int
        Number of atoms.
    sparseness : float
        Hoyer's measure of the codes, between 0 and 1.
    n_epochs, samples_per_epoch : int
        Length of the training.
    step_size : float
        Of the first epoch; it falls as one over the epoch.
    inference : {"ordinary", "topographic", "rank"}
    grid : (rows, columns), optional
        Layout of the atoms for the last two [nearest to a square].
    pooling : int
        Width of the neighbourhood that "topographic" averages over.
    code_rank : int
        Rank of the codes on the grid, for "rank".
    atom_sparseness : float, optional
    atom_rank : int, optional
        For samples that are square patches.
    noise, noise_decay : float
        Standard deviation of the noise on the codes in the first epoch, and its factor from one to
        the next.
    transform_iterations : int
        Landweber iterations of `transform`, for the ordinary inference model; 1 codes as learning
        does. More raise the correlation of samples with what is made of their codes, which is best
        for samples of zero mean.
    random_state : int, RandomState or None
    callback : function of (epoch, W), optional
        Called after each epoch.

    Attributes
    ----------
    components_ : array (n_components, n_features)
        The atoms, one a row, of unit norm.
    history_ : list of float
        Mean correlation of the samples with their approximations, per epoch.
    n_features_in_ : int
    n_iter_ : int
        Epochs so far.
    """

    def __init__(
        self,
        n_components=256,
        sparseness=0.85,
        n_epochs=100,
        samples_per_epoch=30_000,
        step_size=1.0,
        inference="ordinary",
        grid=None,
        pooling=3,
        code_rank=1,
        atom_sparseness=None,
        atom_rank=None,
        noise=0.0,
        noise_decay=0.9,
        transform_iterations=1,
        random_state=None,
        callback=None,
    ):
        self.n_components = n_components
        self.sparseness = sparseness
        self.n_epochs = n_epochs
        self.samples_per_epoch = samples_per_epoch
        self.step_size = step_size
        self.inference = inference
        self.grid = grid
        self.pooling = pooling
        self.code_rank = code_rank
        self.atom_sparseness = atom_sparseness
        self.atom_rank = atom_rank
        self.noise = noise
        self.noise_decay = noise_decay
        self.transform_iterations = transform_iterations
        self.random_state = random_state
        self.callback = callback

    def _parameters(self):
        names = ezdl.Parameters.__dataclass_fields__
        return ezdl.Parameters(**{name: getattr(self, name) for name in names})

    def _codes(self, X, W):
        """What the inference model gives, scaled so that `inverse_transform` comes nearest to X."""
        of_x = exponents(X, axis=1)
        X = scaled_down(X, of_x)
        if self.transform_iterations == 1:
            codes = encode(X, W, self._parameters().model(len(W)))
        elif self.inference == "ordinary":
            codes, _, _ = code_and_reproduce(X, W, self.sparseness, [self.transform_iterations])
        else:
            raise ValueError("transform_iterations must be 1 but for the ordinary inference model")
        scale_codes(X, W, codes)
        return scaled_up(codes, of_x, codes.dtype) if of_x.any() else codes


class ODL(DictionaryEstimator):
    """Online Dictionary Learning (Mairal, Bach, Ponce and Sapiro 2009).

    Parameters
    ----------
    n_components : int
        Number of atoms.
    alpha : float
        Penalty of the lasso codes: they have the least ½‖x - h W‖² + alpha ‖h‖₁.
    batch_size : int
        Samples between two updates of the dictionary.
    n_epochs, samples_per_epoch : int
        Length of the training.
    random_state : int, RandomState or None
    callback : function of (epoch, W), optional
        Called after each epoch.

    Attributes
    ----------
    components_ : array (n_components, n_features)
        The atoms, one a row, of unit norm.
    history_ : list of float
        Mean of what is minimised, per epoch, each sample with the dictionary at its time.
    n_features_in_ : int
    n_iter_ : int
        Epochs so far.
    """

    def __init__(
        self,
        n_components=256,
        alpha=2.0,
        batch_size=512,
        n_epochs=100,
        samples_per_epoch=30_000,
        random_state=None,
        callback=None,
    ):
        self.n_components = n_components
        self.alpha = alpha
        self.batch_size = batch_size
        self.n_epochs = n_epochs
        self.samples_per_epoch = samples_per_epoch
        self.random_state = random_state
        self.callback = callback

    def _parameters(self):
        return odl.Parameters(self.alpha, self.batch_size)

    def _codes(self, X, W):
        return lasso(X, W, self.alpha)


class RLSDLA(DictionaryEstimator):
    """Recursive Least Squares Dictionary Learning Algorithm (Skretting and Engan 2010).

    Parameters
    ----------
    n_components : int
        Number of atoms.
    n_nonzero : int
        Nonzeros of a code; at most as many as features and atoms are used.
    forgetting : float
        Weight of what was learned before each sample, in the beginning; it rises to 1 as a cubic
        over `n_epochs` times `samples_per_epoch` samples.
    n_epochs, samples_per_epoch : int
        Length of the training.
    random_state : int, RandomState or None
    callback : function of (epoch, W), optional
        Called after each epoch.

    Attributes
    ----------
    components_ : array (n_components, n_features)
        The atoms, one a row, of unit norm.
    history_ : list of float
        Squared error of the approximations as a share of the samples' squared norm, per epoch.
    n_features_in_ : int
    n_iter_ : int
        Epochs so far.
    """

    def __init__(
        self,
        n_components=256,
        n_nonzero=4,
        forgetting=0.99,
        n_epochs=100,
        samples_per_epoch=30_000,
        random_state=None,
        callback=None,
    ):
        self.n_components = n_components
        self.n_nonzero = n_nonzero
        self.forgetting = forgetting
        self.n_epochs = n_epochs
        self.samples_per_epoch = samples_per_epoch
        self.random_state = random_state
        self.callback = callback

    def _parameters(self):
        most = min(self.n_components, self.n_features_in_)
        check_whole("n_nonzero", self.n_nonzero)
        return rls_dla.Parameters(min(self.n_nonzero, most), self.forgetting)

    def _codes(self, X, W):
        return ormp(X, W, self.n_nonzero)
