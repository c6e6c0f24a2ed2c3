"""Rules for the functions of `numpy.lib`."""
