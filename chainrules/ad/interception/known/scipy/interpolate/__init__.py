"""Facts of functions of `scipy.interpolate`."""
