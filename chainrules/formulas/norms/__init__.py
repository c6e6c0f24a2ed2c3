"""Gradients of norms of vectors and matrices."""
