"""Rules for Python's builtin functions and types."""
