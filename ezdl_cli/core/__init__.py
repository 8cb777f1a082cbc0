"""Numba kernels: sparseness, its projection and gradient, earlier projections, linear algebra.

Symbols of the paper, as used in `core`, `coding` and `learn`. Vectors are rows here: `X[m]` is a
sample and `W[j]` an atom, where the paper has columns.

===========  =============================================================  =====================
Symbol       Meaning                                                        Paper
===========  =============================================================  =====================
x, X         sample, matrix of samples                                      sect. 1
W            dictionary, one atom per row                                   sect. 1
h            sparse code of a sample                                        sect. 1
n            number of entries of a projected vector; number of atoms       sect. 2, 3.1
d            number of entries of a sample (in `coding` and `learn`)        sect. 3.1
sigma        Hoyer's sparseness σ; the target is σ*                         sect. 1.1, sect. 2
λ1, λ2       target L1 and L2 norm                                          sect. 2
k            λ1/λ2 = sqrt(n) - σ* (sqrt(n) - 1); `k2` is k²                 sect. 2
T            vectors of the target norms, on which σ = σ*                   sect. 2
p            projection of x                                                sect. 2.1
alpha        soft-shrinkage offset α: p = β max(x - α, 0), root of Ψ        sect. 2.1, 2.2
beta         factor β = λ2 / norm of max(x - α, 0)                          appendix
psi          auxiliary function Ψ(α), and Ψ̃ from squared norms              sect. 2.2, 4.1
d            number of survivors, the nonzero entries of p (in `core`)      appendix
u            filter responses W x                                           sect. 3.1
G            topography matrix, which pools responses on a grid             sect. 3.2
kappa        rank κ of codes or atoms, as matrices                          sect. 3.2
rho          correlation coefficient ρ of x and its approximation           sect. 3.1
eta          step size η of learning                                        sect. 3.1
===========  =============================================================  =====================

In addition: v = abs(x); s1 and s2 are the sum and the sum of squares of max(v - α, 0);
gap = n - k². In lasso problems, alpha is the penalty, as in scikit-learn.
"""
