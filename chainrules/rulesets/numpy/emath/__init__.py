"""Rules for `numpy.emath`: functions that answer with complex numbers where there is no real one."""
