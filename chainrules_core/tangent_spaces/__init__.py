"""The tangent space of a value: its zeros, its sums, projection onto it, its two forms."""
