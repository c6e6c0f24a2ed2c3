"""Values and tangents: their parts, their vectors, their precision, and random ones."""
