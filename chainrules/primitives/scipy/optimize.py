"""The functions of ``scipy.optimize``, marked by `primitive`."""

from chainrules.primitives.namespaces import functions_of

__getattr__, __dir__ = functions_of("scipy.optimize", globals())
