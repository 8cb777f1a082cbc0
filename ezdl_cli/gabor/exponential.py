"""The exponential function without branches, so that loops that call it vectorise.

That of the C library is called for one number at a time, and its last digit depends on the library.
"""

import math

import numpy as np

from ..core.jit import kernel
from ..core.soft_thresholding import bits_of, value_of

# Results below exp(−60) are set to 0, which saves slow subnormal numbers.
MAX_EXPONENT = 60.0
# ln 2 as a sum of two numbers; products of the first with integers below 2^11 are exact.
LN2_HIGH, LN2_LOW = 0.693147180369123816490, 1.90821492927058770002e-10
LOG2_E = 1.0 / math.log(2.0)
# Adding it rounds a number below 2^51 to an integer, which is then in the lowest bits.
ROUNDER = 1.5 * 2.0**52
ROUNDER_BITS = int(np.float64(ROUNDER).view(np.int64))
ONE_BITS = int(np.float64(1.0).view(np.int64))
FRACTION_BITS = 52
# 1/2!, 1/3!, ...: the first omitted term is below 1e-17 for arguments up to ½ ln 2.
_C = [1.0 / math.factorial(k) for k in range(14)]
C2, C3, C4, C5, C6, C7, C8, C9, C10, C11, C12, C13 = _C[2:]


@kernel(in_order=True, inline=True)
def exp_of_negative(t):
    """Return exp(−t) for t ≥ 0, or 0 if it is below exp(−MAX_EXPONENT), without branches."""
    bounded = t if t < MAX_EXPONENT else MAX_EXPONENT
    # −t = r − k ln 2 with an integer k and |r| ≤ ½ ln 2.
    shifted = bounded * LOG2_E + ROUNDER
    k = shifted - ROUNDER
    r = (k * LN2_HIGH - bounded) + k * LN2_LOW
    # exp(r) by its power series, 2^−k by its bits.
    r2 = r * r
    r4 = r2 * r2
    high = ((C10 + C11 * r) + (C12 + C13 * r) * r2) * r4 + ((C6 + C7 * r) + (C8 + C9 * r) * r2)
    series = high * r4 + ((C2 + C3 * r) + (C4 + C5 * r) * r2)
    power = value_of(ONE_BITS - ((bits_of(shifted) - ROUNDER_BITS) << FRACTION_BITS))
    value = power * (1.0 + (r + r2 * series))
    return value if t < MAX_EXPONENT else 0.0
