"""Images in chunks of rows, which bounds the memory of what is computed from them."""

CHUNK_PIXELS = 1 << 20  # intermediate results take about a hundred bytes per pixel


def row_chunks(image, multiple=1):
    """Return slices of rows, each of a multiple of `multiple` rows but the last; at least one."""
    n_rows = multiple * max(1, CHUNK_PIXELS // (multiple * max(1, image.shape[1])))
    return [slice(i, i + n_rows) for i in range(0, max(1, len(image)), n_rows)]
