"""Rules for the functions of `numpy.polynomial`, a file for each basis, and one for the classes."""
