"""Rules for the functions of `numpy`, in files named by the headings of NumPy's reference."""
