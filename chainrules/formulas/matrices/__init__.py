"""How matrices are read from arrays, stored and multiplied, and the adjoints of that."""
