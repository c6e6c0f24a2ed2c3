"""Rules for the linear algebra of SciPy."""
