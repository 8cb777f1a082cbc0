"""Shape of square patches that are stored as flat vectors."""


def patch_side(n_features):
    """Return the side length of square patches with a given number of pixels.

    Raises
    ------
    ValueError
        If the number of pixels is not a square.
    """
    side = round(n_features**0.5)
    if side * side != n_features:
        raise ValueError(f"vectors of {n_features} entries are not square patches")
    return side
