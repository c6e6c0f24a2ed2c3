"""The types of tangents; one file for each."""
