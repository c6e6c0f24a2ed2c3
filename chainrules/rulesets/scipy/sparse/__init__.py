"""Rules for the operations of SciPy's sparse arrays and matrices."""
