"""Rules for the special functions of SciPy, a file for each of its headings."""
