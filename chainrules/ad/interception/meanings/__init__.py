"""What each hook does: operators, attributes, items, assignments, methods that Python calls by itself."""
