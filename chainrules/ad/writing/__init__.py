"""Writing into traced arrays, with NumPy's own meaning: every name, view and container that holds the array sees it."""
