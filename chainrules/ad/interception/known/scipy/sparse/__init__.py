"""Facts of functions of `scipy.sparse`."""
