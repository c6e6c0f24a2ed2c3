"""What a program sees of its arguments while it is differentiated."""

from chainrules.ad import grad


def while_traced(x, use):
    """What `use` gives for `x` while it is traced."""
    seen = []
    grad(lambda x: seen.append(use(x)) or 1.0)(x)
    return seen[0]
