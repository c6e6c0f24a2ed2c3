"""The types of tangents, one file for each, and their arithmetic."""
