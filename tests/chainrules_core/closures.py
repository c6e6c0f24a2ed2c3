"""Functions that close over variables, for tests of fields."""


def closure(p):
    """A function that closes over `p`."""
    return lambda x: p * x


def unassigned():
    """A function that closes over a variable that is never assigned."""

    def f():
        return later

    if f is None:
        later = 1.0
    return f
