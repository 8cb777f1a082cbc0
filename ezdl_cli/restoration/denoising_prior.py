"""A denoiser that is called many times, as the prior of plug-and-play methods."""

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..core.parameter_validation import is_integer
from ..parallel import single_threaded_blas
from .denoising import Denoiser, default_atoms
from .denoising_parameters import DenoisingParameters, check_parameters
from .dictionary_passes import patch_dictionary
from .workspace_pool import WorkspacePool


class DenoisingPrior:
    """Denoiser for the iterations of plug-and-play methods (Venkatakrishnan et al. 2013).

    Calls have the results of `denoise`, but the dictionary is prepared, and adapted if wanted, only
    once, and workspaces are used again. An estimate of the image, such as the result of the last
    call, can replace the first of the three passes. Noise is never taken for clipped.

    Parameters
    ----------
    W : array_like of shape (n_atoms, side²), default=None
        Dictionary, one atom per row. If None, the one that ships with the package.
    parameters : DenoisingParameters, default=None
        Parameters of the method, except that `adapt` has no effect: see the method `adapt`.
    white : float, default=None
        The value of white in all images. If None, as in `denoise`.

    See Also
    --------
    denoise : The same for a single image.

    References
    ----------
    Venkatakrishnan, S. V., Bouman, C. A., & Wohlberg, B. (2013). Plug-and-play priors for model
    based reconstruction. Proceedings of GlobalSIP, 945-948.

    Examples
    --------
    >>> import numpy as np
    >>> import ezdl_cli as ez
    >>> prior = ez.DenoisingPrior()
    >>> x = np.random.default_rng(0).normal(100.0, 20.0, (40, 40))
    >>> prior.adapt(x, sigma=20.0)
    >>> for sigma in (20.0, 10.0, 5.0):
    ...     x = prior(x, sigma, guide=x)
    """

    def __init__(
        self,
        W: ArrayLike | None = None,
        parameters: DenoisingParameters | None = None,
        *,
        white: float | None = None,
    ) -> None:
        self._dictionary, self._adapted = patch_dictionary(default_atoms(W)), None
        parameters = DenoisingParameters() if parameters is None else parameters
        check_parameters(parameters)
        self._parameters = replace(parameters, adapt=False)
        self._white = white
        self._workspaces = WorkspacePool()

    def adapt(self, image: ArrayLike, sigma: float, seed: int = 0) -> None:
        """Train the dictionary of all further calls on a noisy image, starting from W.

        Parameters
        ----------
        image : array_like of shape (height, width) or (height, width, 3)
            The noisy image.
        sigma : float
            Standard deviation of its noise, in the units of the image.
        seed : int, default=0
            Random seed of the patches that the dictionary is trained on.
        """
        if not is_integer(seed) or seed < 0:
            raise ValueError(f"seed must be an integer of at least 0, not {seed!r}")
        parameters = replace(self._parameters, adapt=True)
        with single_threaded_blas:
            denoiser = Denoiser(image, sigma, self._dictionary, parameters, seed, self._white)
        self._adapted = denoiser.dictionaries[0]

    def __call__(
        self, image: ArrayLike, sigma: float, guide: ArrayLike | None = None
    ) -> NDArray[np.float64]:
        """Remove white Gaussian noise from an image.

        Parameters
        ----------
        image : array_like of shape (height, width) or (height, width, 3)
            The noisy image.
        sigma : float
            Standard deviation of the noise, in the units of the image.
        guide : array_like of the shape of the image, default=None
            An estimate of the image by which similar patches are found; it saves the first pass.

        Returns
        -------
        denoised : ndarray of the shape of the image
            Values in float64, neither rounded nor clipped.
        """
        with single_threaded_blas:
            denoiser = Denoiser(
                image,
                sigma,
                self._dictionary,
                self._parameters,
                white=self._white,
                guide=guide,
                adapted=self._adapted,
                may_be_clipped=False,
                workspaces=self._workspaces,
            )
            return denoiser.result()
