"""Independent reference implementations of the projection: slow, simple, without shared code."""

import numpy as np
from scipy import optimize


def norm_ratio(n, sparseness):
    """Return k = λ1/λ2 in extended precision."""
    root = np.sqrt(np.longdouble(n))
    return root - np.longdouble(sparseness) * (root - 1)


def sigma(x):
    """Return Hoyer's sparseness in extended precision."""
    x = np.abs(np.asarray(x, np.longdouble))
    x = x / x.max()
    root = np.sqrt(np.longdouble(x.size))
    return float((root - x.sum() / np.sqrt((x * x).sum())) / (root - 1))


def project_by_sorting(x, sparseness, norm=None):
    """Return the exact projection, trying every support of the largest entries.

    Computed in extended precision, with sums about the largest entry so that near ties keep
    their digits.
    """
    v = np.abs(np.asarray(x)).astype(np.longdouble)
    largest = v.max()
    u = (v - largest) / largest
    k = norm_ratio(v.size, sparseness)
    descending = np.sort(u)[::-1]
    d = np.arange(1, v.size + 1)
    s1, s2 = np.cumsum(descending), np.cumsum(descending**2)
    following = np.append(descending[1:], -1)
    l1, l2 = s1 - d * following, s2 - following * (2 * s1 - d * following)
    fits = (d > k * k) & (l1 * l1 >= k * k * l2)
    support = np.argmax(fits) if fits.any() else v.size - 1
    survivors = descending[: support + 1]
    d, s1, s2 = (
        survivors.size,
        survivors.sum(),
        (survivors**2).sum(),
    )  # pairwise sums
    alpha = (s1 - k * np.sqrt((d * s2 - s1 * s1) / (d - k * k))) / d
    p = np.maximum(u - alpha, 0)
    p /= np.sqrt((p * p).sum())
    length = (v / largest * p).sum() * largest if norm is None else np.longdouble(norm)
    return np.where(np.signbit(x), -1, 1) * length * p


def project_by_optimiser(x, sparseness, norm):
    """Return the nearest feasible point that SciPy's SLSQP finds from several starts."""
    v = np.abs(x)
    k = float(norm_ratio(v.size, sparseness))
    constraints = [
        {"type": "eq", "fun": lambda s: s.sum() - k * norm, "jac": lambda s: np.ones_like(s)},
        {"type": "eq", "fun": lambda s: s @ s - norm**2, "jac": lambda s: 2 * s},
    ]
    random = np.random.default_rng(0)
    best, smallest = None, np.inf
    for _ in range(10):
        found = optimize.minimize(
            lambda s: ((s - v) ** 2).sum(),
            random.random(v.size),
            jac=lambda s: 2 * (s - v),
            bounds=[(0, None)] * v.size,
            constraints=constraints,
            method="SLSQP",
            options={"maxiter": 500, "ftol": 1e-14},
        )
        if found.success and found.fun < smallest:
            best, smallest = found.x, found.fun
    return np.sign(x) * best


def distributions(n, random):
    """Return random vectors of many kinds by name; none has ties for the largest entry."""
    heavy = random.standard_t(1.5, n)
    sparse = random.standard_normal(n) * (random.random(n) < 0.3)
    sparse[0] = 3.0
    return {
        "uniform": random.random(n),
        "normal": random.standard_normal(n),
        "heavy-tailed": heavy,
        "geometric": 0.7 ** np.arange(n) * random.choice([-1.0, 1.0], n),
        "already sparse": sparse,
        "badly scaled": random.standard_normal(n) * 10.0 ** random.uniform(-30, 30, n),
        "tied below": np.append(np.repeat(random.random(n // 2), 2)[: n - 1], 2.0),
        "integers": np.append(random.integers(0, 4, n - 1), 5),
        "nearly equal": 1.0 + 1e-9 * random.random(n),
        "tiny": 1e-160 * random.random(n),
        "huge": 1e170 * random.standard_normal(n),
    }
