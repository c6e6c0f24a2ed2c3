"""Graphs by their matrices of weights."""
