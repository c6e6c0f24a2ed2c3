"""The sources of the pages of the documentation; ``python -m docs`` writes the generated ones."""
