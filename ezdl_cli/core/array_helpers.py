"""Small operations on arrays that numba has, but compiles or loads slowly.

Copying by ``out[:] = x`` compiles messages about shapes that do not match, which takes seconds, and
`np.finfo` makes each process import SciPy.
"""

from .jit import kernel


@kernel(inline=True)
def copy_entries(x, out):
    """Copy the entries of a vector."""
    for i in range(x.size):
        out[i] = x[i]


@kernel(inline=True)
def machine_epsilon(x):
    """Return the distance from 1 to the next larger number of an array's type."""
    return 2.0**-52 if x.itemsize == 8 else 2.0**-23


@kernel(inline=True)
def smallest_normal(x):
    """Return the smallest positive number of an array's type that has all digits."""
    return 2.0**-1022 if x.itemsize == 8 else 2.0**-126
