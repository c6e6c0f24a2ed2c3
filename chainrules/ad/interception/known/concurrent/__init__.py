"""Facts of functions of `concurrent`."""
