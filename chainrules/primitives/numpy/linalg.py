"""The functions of ``numpy.linalg``, marked by `primitive`."""

from chainrules.primitives.namespaces import functions_of

__getattr__, __dir__ = functions_of("numpy.linalg", globals())
