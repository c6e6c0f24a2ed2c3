"""Derivatives of filters."""
