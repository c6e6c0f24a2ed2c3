"""Write the derivative of a function once, as a rule, for every automatic differentiation system.

Authors of numerical packages depend on this package alone: it holds what is needed to define rules and to
use them.
"""

from typing import TYPE_CHECKING, Any

# Rules and how they are looked up
from chainrules_core.dispatch.callees import TypeOf, typeof_, unwrap_primitive
from chainrules_core.dispatch.descriptions import describe_callee, describe_hint, describe_value
from chainrules_core.dispatch.new_rules import HookHandle, RuleHookWarning, on_changed_rules
from chainrules_core.dispatch.pending_rulesets import register_ruleset
from chainrules_core.dispatch.redefinitions import RuleRedefinitionWarning
from chainrules_core.dispatch.rule_location import describe_place, place_in, place_of_rule
from chainrules_core.dispatch.rule_method import RuleMethod
from chainrules_core.dispatch.rules import frule, on_new_rule, rrule
from chainrules_core.dispatch.rulesets import RulesetImportWarning
from chainrules_core.dispatch.screens import screen_rules

# Configurations: what an AD system can do
from chainrules_core.config import (
    ForwardsModeCapability,
    HasForwardsMode,
    HasReverseMode,
    NoForwardsMode,
    NoReverseMode,
    ReverseModeCapability,
    RuleConfig,
    frule_via_ad,
    rrule_via_ad,
)

# Helpers for defining rules
from chainrules_core.definition.define import define, rule_maker
from chainrules_core.definition.derivatives_given_output import derivatives_given_output
from chainrules_core.definition.ignore_derivatives import ignore_derivatives
from chainrules_core.definition.non_differentiable import NonDifferentiablePullback, non_differentiable
from chainrules_core.definition.opt_out import opt_out, opted_out
from chainrules_core.definition.scalar_rule import scalar_rule
from chainrules_core.definition.scalar_products import (
    contains_nan,
    evaluate_partials,
    pull_partial,
    strong_product,
    sum_tangents,
    unbroadcast,
)
from chainrules_core.definition.shortcuts import Shortcut, shortcuts, shortened_by
from chainrules_core.error_state import without_warnings
from chainrules_core.tangents.not_implemented import not_implemented
from chainrules_core.tangents.thunks import thunk, unthunk, unthunking

# Tangents
from chainrules_core.tangents.abstract_tangent import AbstractTangent
from chainrules_core.tangents.abstract_zero import (
    NO_TANGENT,
    ZERO_TANGENT,
    AbstractZero,
    NoTangent,
    ZeroTangent,
)
from chainrules_core.tangents.not_implemented import NotImplementedTangent
from chainrules_core.tangents.structural_tangent import (
    MutableTangent,
    StructuralTangent,
    Tangent,
    canonicalize,
)
from chainrules_core.tangents.thunks import AbstractThunk, InplaceableThunk, Thunk
from chainrules_core.fields import (
    Backing,
    backing,
    backing_kind,
    construct,
    declared_fields,
    field_names,
)
from chainrules_core.attribute_holders import is_attribute_holder
from chainrules_core.reconstruction import attributes_of, reconstruct, set_attributes
from chainrules_core.tangents.arithmetic import unthunk_fully, unthunk_throughout
from chainrules_core.tangents.linear_operations import add_tangents, conjugate_tangent, scale_tangent
from chainrules_core.tangents.structural_operations import primal_type
from chainrules_core.tangent_spaces.accumulation import add_inplace, is_inplaceable_destination
from chainrules_core.tangent_spaces import given_tangents as _given_tangents  # noqa: F401 - it says what `rrule` and `frule` take
from chainrules_core.tangent_spaces.changed_rules import with_own_rule
from chainrules_core.tangent_spaces.returned_tangents import (
    PullbackLookedAt,
    ReturnedCotangents,
    looking_at,
)
from chainrules_core.tangent_spaces.zero_tangent import zero_tangent

# Projection onto the tangent space of a primal
from chainrules_core.tangent_spaces.projection import Projector, ProjectTo
from chainrules_core.tangent_spaces.projection.numbers import is_complex
from chainrules_core.tangent_spaces.projection.projector import NoTangentProjector
from chainrules_core.tangent_spaces.projection.sparse import SparseProjector, project_onto_pattern
from chainrules_core.tangent_spaces.projection.sparse_formats import SPARSE_FORMATS, StoredDiagonals
from chainrules_core.tangent_spaces.natural_tangents import to_natural, to_structural

# Array types for dispatch
from chainrules_core.arrays.abstract_array import AbstractArray
from chainrules_core.arrays.array_hints import Array, ComplexArray, Matrix, RealArray, Vector
from chainrules_core.arrays.lazy_arrays import LazyArray
from chainrules_core.arrays.sparse_arrays import SparseArray, entries_at, flat_position
from chainrules_core.laziness import is_lazy, may_hold

# Functions and values that AD systems intercept
from chainrules_core.backends import Backend, CarrierImportWarning, backend_of, primal_of, register_carrier
from chainrules_core.carriers.hiding import HidingPlace, hiding_place, is_bare_iterator
from chainrules_core.carriers.search import MixedCarriersError, contains_carrier, may_contain_carriers
from chainrules_core.carriers.keywords import bind_keywords
from chainrules_core.carriers.primitive import primitive

# Names that people look for in the wrong package
from chainrules_core.missing_names import missing_name

# Debug mode and exceptions
from chainrules_core.debug_mode import debug_mode, debugging, set_debug_mode
from chainrules_core.exceptions import (
    BadInplaceError,
    ChainRulesError,
    DerivativeNotImplementedError,
    DimensionMismatchError,
    EndlessCallError,
    MutateThunkError,
    NoDerivativeError,
    PrimalAdditionFailedError,
    RuleDefinitionError,
    RuleNotFoundError,
    TangentStructureError,
)

__all__ = [
    # Rules and how they are looked up
    "HookHandle",
    "PullbackLookedAt",
    "ReturnedCotangents",
    "RuleHookWarning",
    "RuleMethod",
    "RuleRedefinitionWarning",
    "RulesetImportWarning",
    "TypeOf",
    "describe_callee",
    "describe_hint",
    "describe_place",
    "describe_value",
    "frule",
    "looking_at",
    "on_changed_rules",
    "on_new_rule",
    "place_in",
    "place_of_rule",
    "register_ruleset",
    "rrule",
    "screen_rules",
    "typeof_",
    "unwrap_primitive",
    "with_own_rule",
    # Configurations
    "ForwardsModeCapability",
    "HasForwardsMode",
    "HasReverseMode",
    "NoForwardsMode",
    "NoReverseMode",
    "ReverseModeCapability",
    "RuleConfig",
    "frule_via_ad",
    "rrule_via_ad",
    # Helpers for defining rules
    "NonDifferentiablePullback",
    "Shortcut",
    "contains_nan",
    "define",
    "derivatives_given_output",
    "evaluate_partials",
    "ignore_derivatives",
    "is_complex",
    "non_differentiable",
    "not_implemented",
    "opt_out",
    "opted_out",
    "pull_partial",
    "rule_maker",
    "scalar_rule",
    "shortcuts",
    "shortened_by",
    "strong_product",
    "sum_tangents",
    "thunk",
    "unbroadcast",
    "unthunk",
    "unthunking",
    "without_warnings",
    # Tangents
    "NO_TANGENT",
    "ZERO_TANGENT",
    "AbstractTangent",
    "AbstractThunk",
    "AbstractZero",
    "Backing",
    "InplaceableThunk",
    "MutableTangent",
    "NoTangent",
    "NotImplementedTangent",
    "StructuralTangent",
    "Tangent",
    "Thunk",
    "ZeroTangent",
    "add_inplace",
    "add_tangents",
    "attributes_of",
    "backing",
    "backing_kind",
    "canonicalize",
    "conjugate_tangent",
    "construct",
    "declared_fields",
    "field_names",
    "is_attribute_holder",
    "is_inplaceable_destination",
    "primal_type",
    "reconstruct",
    "scale_tangent",
    "set_attributes",
    "unthunk_fully",
    "unthunk_throughout",
    "zero_tangent",
    # Projection onto the tangent space of a primal
    "SPARSE_FORMATS",
    "NoTangentProjector",
    "ProjectTo",
    "Projector",
    "SparseProjector",
    "StoredDiagonals",
    "project_onto_pattern",
    "to_natural",
    "to_structural",
    # Array types for dispatch
    "AbstractArray",
    "Array",
    "ComplexArray",
    "LazyArray",
    "Matrix",
    "RealArray",
    "SparseArray",
    "Vector",
    "entries_at",
    "flat_position",
    "is_lazy",
    "may_hold",
    # Functions and values that AD systems intercept
    "Backend",
    "CarrierImportWarning",
    "HidingPlace",
    "MixedCarriersError",
    "backend_of",
    "bind_keywords",
    "contains_carrier",
    "hiding_place",
    "is_bare_iterator",
    "may_contain_carriers",
    "primal_of",
    "primitive",
    "register_carrier",
    # Names that people look for in the wrong package
    "missing_name",
    # Debug mode and exceptions
    "BadInplaceError",
    "ChainRulesError",
    "DerivativeNotImplementedError",
    "DimensionMismatchError",
    "EndlessCallError",
    "MutateThunkError",
    "NoDerivativeError",
    "PrimalAdditionFailedError",
    "RuleDefinitionError",
    "RuleNotFoundError",
    "TangentStructureError",
    "debug_mode",
    "debugging",
    "set_debug_mode",
]

__version__ = "0.1.0"


if not TYPE_CHECKING:  # type checkers would take every name for one of the package

    def __getattr__(name: str) -> Any:
        raise missing_name(__name__, name)


def __dir__() -> list[str]:
    return __all__
