"""`ProjectTo` and its projectors; one file for each family of primals."""

from chainrules_core.tangent_spaces.projection.arrays import ArrayProjector
from chainrules_core.tangent_spaces.projection.lazy_arrays import LazyArrayProjector
from chainrules_core.tangent_spaces.projection.non_perturbable import NonPerturbable
from chainrules_core.tangent_spaces.projection.numbers import AbstractNumberProjector, NumberProjector
from chainrules_core.tangent_spaces.projection.object_arrays import ObjectArrayProjector
from chainrules_core.tangent_spaces.projection.sequences import SequenceProjector
from chainrules_core.tangent_spaces.projection.sparse import SparseProjector
from chainrules_core.tangent_spaces.projection.structures import StructureProjector
from chainrules_core.tangent_spaces.projection.project_to import ProjectTo
from chainrules_core.tangent_spaces.projection.projector import (
    IdentityProjector,
    NoTangentProjector,
    Projector,
)

__all__ = [
    "AbstractNumberProjector",
    "ArrayProjector",
    "IdentityProjector",
    "LazyArrayProjector",
    "NoTangentProjector",
    "NonPerturbable",
    "NumberProjector",
    "ObjectArrayProjector",
    "ProjectTo",
    "Projector",
    "SequenceProjector",
    "SparseProjector",
    "StructureProjector",
]
