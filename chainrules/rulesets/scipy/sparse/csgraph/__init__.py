"""Rules for the functions of `scipy.sparse.csgraph`."""
