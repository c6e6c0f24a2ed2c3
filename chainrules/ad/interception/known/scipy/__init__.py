"""Facts of functions of SciPy."""
