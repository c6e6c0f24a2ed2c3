"""Facts of functions of NumPy."""
