"""Functions of our own that have rules, because rules need them and NumPy has none."""
