"""The memory that arrays gave back, which the C library is told to keep for arrays to come."""

import numpy as np

# Whoever frees a block of this size, which is less than the 32 MB from which on glibc learns nothing, shows
# that such blocks come and go. No page of it is touched.
_BYTES = 2**24


def keep_freed_memory() -> None:
    """Let glibc keep up to twice 16 MB of free memory, as it does in programs that have freed large arrays.

    A gradient frees all results on its way at once. glibc gives what is free at the end of its heap back to
    the system, from 128 kB on, so that the next gradient has to ask for it again, page by page: for a
    perceptron with layers of 128 that takes half of the time. Other C libraries take no notice. Who sets
    ``MALLOC_TRIM_THRESHOLD_`` in the environment decides alone:
    https://man7.org/linux/man-pages/man3/mallopt.3.html (``M_MMAP_THRESHOLD``, "dynamic").
    """
    np.empty(_BYTES, np.uint8)
