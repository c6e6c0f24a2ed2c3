"""Rules for the functions of `scipy.ndimage`."""
