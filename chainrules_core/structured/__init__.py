"""Matrices with structure: diagonal, banded, triangular, symmetric; arguments in Julia's order.

Each type stands for a subspace of all matrices, to which `ProjectTo` projects the cotangents of its
instances. Importing this package makes their projectors known.
"""

from chainrules_core.structured.structured_array import StructuredArray
from chainrules_core.structured.operations import add, matmul, multiply, solve
from chainrules_core.structured.cotangents import MatrixProjector

# Diagonals: work and memory are linear in the number of rows
from chainrules_core.structured.diagonal import Diagonal
from chainrules_core.structured.banded import Banded
from chainrules_core.structured.kinds import from_bands
from chainrules_core.structured.matrix_products import diagonal_of_product
from chainrules_core.structured.principal_minors import cofactor_bands, inverse_bands
from chainrules_core.structured.protocols import keeps_zeros
from chainrules_core.structured.bidiagonal import Bidiagonal
from chainrules_core.structured.tridiagonal import SymTridiagonal, Tridiagonal
from chainrules_core.structured.uniform_scaling import I, UniformScaling

# Triangles
from chainrules_core.structured.triangular import (
    LowerTriangular,
    Triangular,
    UnitLowerTriangular,
    UnitUpperTriangular,
    UpperTriangular,
)

# Mirror images
from chainrules_core.structured.symmetric import Hermitian, Mirrored, Symmetric
from chainrules_core.structured.parents import triangle

# Methods of operations and of NumPy's functions, projectors, zeros and sums in place
from chainrules_core.structured import (  # noqa: F401 # imported because they register methods
    array_functions,
    banded_projection,
    matrix_products,
    natural_forms,
    products,
    solutions,
    sums,
    symmetric_projection,
    tangents,
    triangular_projection,
    uniform_scaling_projection,
)

__all__ = [
    "Banded",
    "Bidiagonal",
    "Diagonal",
    "Hermitian",
    "I",
    "LowerTriangular",
    "MatrixProjector",
    "Mirrored",
    "StructuredArray",
    "SymTridiagonal",
    "Symmetric",
    "Triangular",
    "Tridiagonal",
    "UniformScaling",
    "UnitLowerTriangular",
    "UnitUpperTriangular",
    "UpperTriangular",
    "add",
    "cofactor_bands",
    "diagonal_of_product",
    "from_bands",
    "inverse_bands",
    "keeps_zeros",
    "matmul",
    "multiply",
    "solve",
    "triangle",
]


def __dir__() -> list[str]:
    return __all__
