"""NumPy's and SciPy's functions, marked for every automatic differentiation (AD) system: see `primitive`.

``from chainrules.primitives.scipy import linalg`` has the functions of ``scipy.linalg``. With tensors of a
framework they are differentiated by it; with arrays they are as they always were.
"""

from chainrules.primitives.namespaces import modules_of

__all__ = ["numpy", "scipy"]

__getattr__, __dir__ = modules_of(globals())
