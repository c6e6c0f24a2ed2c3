"""Facts of functions of `scipy.stats`."""
