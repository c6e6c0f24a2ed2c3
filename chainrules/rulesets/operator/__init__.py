"""Rules for Python's operators, which are the functions of `operator`."""
