"""Which function is called in the place of one that the program calls."""
