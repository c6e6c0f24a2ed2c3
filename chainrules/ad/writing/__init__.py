"""Writing into traced arrays, with NumPy's own meaning: names, views and containers that hold them see it."""
