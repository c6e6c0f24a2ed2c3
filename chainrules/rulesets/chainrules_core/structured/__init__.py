"""Rules for structured arrays: their constructors and fields, and functions that need not make them dense.

A cotangent of a structured array is a matrix of its kind, as `ProjectTo` makes it. Functions that are not
here have the rules for all arrays, which project their cotangents.
"""
