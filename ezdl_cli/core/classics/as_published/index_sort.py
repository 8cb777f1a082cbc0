"""Heapsort of indices, the method of `gsl_sort_index` of the GNU Scientific Library."""

from ...jit import kernel
from ...simd import forbid_simd


@kernel(in_order=True)
def sort_indices(x, order):
    """Write the indices of the entries of x to `order`, from the largest entry to the smallest."""
    forbid_simd()
    n = x.size
    for i in range(n):
        order[i] = i
    # A heap with the smallest entry at its root.
    for root in range(n // 2 - 1, -1, -1):
        _sift_down(x, order, root, n)
    # Move the root behind the remaining heap, again and again.
    for size in range(n - 1, 0, -1):
        order[0], order[size] = order[size], order[0]
        _sift_down(x, order, 0, size)


@kernel(in_order=True)
def _sift_down(x, order, root, size):
    """Move the index at the root of a heap down until both of its children are not smaller."""
    forbid_simd()
    index = order[root]
    entry = x[index]
    child = 2 * root + 1
    while child < size:
        if child + 1 < size and x[order[child + 1]] < x[order[child]]:
            child += 1
        if x[order[child]] >= entry:
            break
        order[root] = order[child]
        root = child
        child = 2 * root + 1
    order[root] = index
