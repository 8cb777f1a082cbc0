"""Gabor functions fitted to atoms.

fit                    `ez.fit_gabor`: canonical parameters, R², why an atom is not a Gabor function
search                 the global search: starts, descents and perturbations
nelder_mead            local minimisation without derivatives
levenberg_marquardt    local minimisation with derivatives
model                  the Gabor function, its squared error and derivatives
workspace              the patch, and memory of the search
row_products           sums over pixels that vectorise
exponential            the exponential function that vectorises
"""
