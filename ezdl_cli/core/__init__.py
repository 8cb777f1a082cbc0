"""Numba kernels: the sparseness measure, the projection, its gradient, the classic projections.

The paper's symbols, as they are used here:

x, v    a vector, and its magnitudes |x|            n       number of entries
p       the projection of x                         d       number of survivors, the nonzero p
k       λ1/λ2, quotient of the target norms         gap     n - k²
α       the offset: p = β · max(v - α, 0)           ψ       the auxiliary function, zero at α
s1, s2  sum and sum of squares of max(v - α, 0)     σ       Hoyer's sparseness
"""
