"""A call of a function with traced values: the rule is asked, and its answer is taken apart."""
