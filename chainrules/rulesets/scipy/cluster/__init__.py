"""Rules for the functions of `scipy.cluster`."""
