"""SciPy's functions, marked by `primitive`: a module for each of SciPy's, imported when it is used."""

from chainrules.primitives.namespaces import modules_of

__all__ = ["linalg", "optimize", "sparse", "special", "stats"]

__getattr__, __dir__ = modules_of(globals())
