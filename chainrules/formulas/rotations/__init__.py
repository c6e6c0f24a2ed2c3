"""Rotations of space: quaternions and what is made of them."""
