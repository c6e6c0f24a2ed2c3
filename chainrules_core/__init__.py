"""Write the derivative of a function once, as a rule, for every automatic differentiation system.

Authors of numerical packages depend on this package alone: it holds what is needed to define rules and to
use them.
"""

# Rules and how they are looked up
from chainrules_core.dispatch.callees import typeof_
from chainrules_core.dispatch.new_rules import HookHandle, RuleHookWarning
from chainrules_core.dispatch.rule_function import RuleRedefinitionWarning
from chainrules_core.dispatch.rule_method import RuleMethod
from chainrules_core.dispatch.rules import frule, on_new_rule, rrule
from chainrules_core.dispatch.rulesets import RulesetImportWarning, register_ruleset

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
from chainrules_core.definition.derivatives_given_output import derivatives_given_output
from chainrules_core.definition.ignore_derivatives import ignore_derivatives
from chainrules_core.definition.non_differentiable import non_differentiable
from chainrules_core.definition.opt_out import opt_out, opted_out
from chainrules_core.definition.scalar_rule import scalar_rule
from chainrules_core.tangents.not_implemented import not_implemented
from chainrules_core.tangents.thunks import thunk, unthunk, unthunking

# Tangents
from chainrules_core.tangents.abstract_tangent import AbstractTangent
from chainrules_core.tangents.abstract_zero import AbstractZero, NoTangent, ZeroTangent
from chainrules_core.tangents.not_implemented import NotImplementedTangent
from chainrules_core.tangents.structural_tangent import (
    MutableTangent,
    StructuralTangent,
    Tangent,
    canonicalize,
)
from chainrules_core.tangents.thunks import AbstractThunk, InplaceableThunk, Thunk
from chainrules_core.fields import backing, construct
from chainrules_core.tangent_spaces.accumulation import add_inplace, is_inplaceable_destination
from chainrules_core.tangent_spaces.zero_tangent import zero_tangent

# Projection onto the tangent space of a primal
from chainrules_core.tangent_spaces.projection import Projector, ProjectTo
from chainrules_core.tangent_spaces.natural_tangents import to_natural, to_structural

# Array types for dispatch
from chainrules_core.arrays.array_types import AbstractArray, Array, ComplexArray, Matrix, RealArray, Vector

# Functions and values that AD systems intercept
from chainrules_core.backends import Backend, primal_of, register_carrier
from chainrules_core.carriers.search import MixedCarriersError
from chainrules_core.carriers.keywords import bind_keywords
from chainrules_core.carriers.primitive import primitive

# Debug mode and exceptions
from chainrules_core.debug_mode import debug_mode, debugging, set_debug_mode
from chainrules_core.exceptions import (
    BadInplaceError,
    ChainRulesError,
    DerivativeNotImplementedError,
    DimensionMismatchError,
    MutateThunkError,
    PrimalAdditionFailedError,
    RuleDefinitionError,
    RuleNotFoundError,
    TangentStructureError,
)

__all__ = [
    # Rules and how they are looked up
    "HookHandle",
    "RuleHookWarning",
    "RuleMethod",
    "RuleRedefinitionWarning",
    "RulesetImportWarning",
    "frule",
    "on_new_rule",
    "register_ruleset",
    "rrule",
    "typeof_",
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
    "derivatives_given_output",
    "ignore_derivatives",
    "non_differentiable",
    "not_implemented",
    "opt_out",
    "opted_out",
    "scalar_rule",
    "thunk",
    "unthunk",
    "unthunking",
    # Tangents
    "AbstractTangent",
    "AbstractThunk",
    "AbstractZero",
    "InplaceableThunk",
    "MutableTangent",
    "NoTangent",
    "NotImplementedTangent",
    "StructuralTangent",
    "Tangent",
    "Thunk",
    "ZeroTangent",
    "add_inplace",
    "backing",
    "canonicalize",
    "construct",
    "is_inplaceable_destination",
    "zero_tangent",
    # Projection onto the tangent space of a primal
    "ProjectTo",
    "Projector",
    "to_natural",
    "to_structural",
    # Array types for dispatch
    "AbstractArray",
    "Array",
    "ComplexArray",
    "Matrix",
    "RealArray",
    "Vector",
    # Functions and values that AD systems intercept
    "Backend",
    "MixedCarriersError",
    "bind_keywords",
    "primal_of",
    "primitive",
    "register_carrier",
    # Debug mode and exceptions
    "BadInplaceError",
    "ChainRulesError",
    "DerivativeNotImplementedError",
    "DimensionMismatchError",
    "MutateThunkError",
    "PrimalAdditionFailedError",
    "RuleDefinitionError",
    "RuleNotFoundError",
    "TangentStructureError",
    "debug_mode",
    "debugging",
    "set_debug_mode",
]
