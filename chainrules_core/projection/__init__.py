"""`ProjectTo` and its projectors; one file for each family of primals."""

from chainrules_core.projection.arrays import ArrayProjector
from chainrules_core.projection.non_perturbable import NonPerturbable
from chainrules_core.projection.numbers import AbstractNumberProjector, NumberProjector
from chainrules_core.projection.object_arrays import ObjectArrayProjector
from chainrules_core.projection.sequences import SequenceProjector
from chainrules_core.projection.sparse import SparseProjector
from chainrules_core.projection.structures import StructureProjector
from chainrules_core.projection.project_to import ProjectTo
from chainrules_core.projection.projector import IdentityProjector, NoTangentProjector, Projector

__all__ = [
    "AbstractNumberProjector",
    "ArrayProjector",
    "IdentityProjector",
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
