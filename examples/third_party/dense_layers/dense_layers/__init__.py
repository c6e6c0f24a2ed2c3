"""Layers are functions that hold their parameters, and models are functions made of them."""

from dense_layers.layers import Chain, Dense, dense, mean_squared_error, softmax_cross_entropy

__all__ = ["Chain", "Dense", "dense", "mean_squared_error", "softmax_cross_entropy"]
