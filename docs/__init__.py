"""What the pages of the documentation are made from; ``python -m docs`` writes the generated ones."""
