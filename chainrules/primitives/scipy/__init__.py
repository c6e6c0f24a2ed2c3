"""SciPy's functions, marked by `primitive`: a module for each of SciPy's, imported when it is used."""
