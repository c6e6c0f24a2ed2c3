"""All rules of one basis of polynomials."""

import sys
from types import ModuleType

from chainrules.makers.series import arithmetic, calculus, conversion, evaluation, fitting, roots
from chainrules.makers.series.basis import Basis
from chainrules_core.dispatch.rule_location import place_in


def define_rules(module: ModuleType, prefix: str) -> None:
    """Define the rules of NumPy's functions for one basis.

    Parameters
    ----------
    module
        Of `numpy.polynomial`.
    prefix
        Of the names of its functions.
    """
    basis = Basis(module, prefix)
    place = place_in(sys._getframe(1))  # noqa: SLF001 - the ruleset
    evaluation.define_values(basis, place)
    evaluation.define_matrices(basis, place)
    for name in ("val2d", "val3d", "grid2d", "grid3d"):
        evaluation.define_values_in_several_variables(basis, name, name.startswith("grid"), place)
    for name in ("vander2d", "vander3d"):
        evaluation.define_matrices_in_several_variables(basis, name, place)
    calculus.define_derivatives(basis, place)
    calculus.define_integrals(basis, place)
    arithmetic.define_sum(basis, "add", 1, place)
    arithmetic.define_sum(basis, "sub", -1, place)
    arithmetic.define_product(basis, place)
    arithmetic.define_power(basis, place)
    arithmetic.define_quotient(basis, place)
    conversion.define_line(basis, place)
    conversion.define_linear(basis.primal("mulx"), place)
    roots.define_roots(basis, place)
    roots.define_from_roots(basis, place)
    roots.define_companion(basis, place)
    fitting.define_fit(basis.primal("fit"), basis.primal("vander"), False, place)
    if prefix != "poly":
        conversion.define_linear(getattr(module, f"poly2{prefix}"), place)
        conversion.define_linear(getattr(module, f"{prefix}2poly"), place)
