"""All rules of one basis of polynomials."""

from types import ModuleType

from chainrules.makers.series import arithmetic, calculus, conversion, evaluation, fitting, roots
from chainrules.makers.series.basis import Basis
from chainrules.makers.versions import present
from chainrules_core import rule_maker


@rule_maker
def define_rules(module: ModuleType, prefix: str) -> None:
    """Define the rules of NumPy's functions for one basis.

    Parameters
    ----------
    module
        The module of `numpy.polynomial`.
    prefix
        The prefix of the names of its functions.
    """
    basis = Basis(module, prefix)
    evaluation.define_values(basis)
    evaluation.define_matrices(basis)
    for name in ("val2d", "val3d", "grid2d", "grid3d"):
        evaluation.define_values_in_several_variables(basis, name, name.startswith("grid"))
    for valnd in present(module, f"{prefix}valnd"):  # since NumPy 2.5
        evaluation.define_values_at_points(basis, valnd)
    for name in ("vander2d", "vander3d"):
        evaluation.define_matrices_in_several_variables(basis, name)
    calculus.define_derivatives(basis)
    calculus.define_integrals(basis)
    arithmetic.define_sum(basis, "add", 1)
    arithmetic.define_sum(basis, "sub", -1)
    arithmetic.define_product(basis)
    arithmetic.define_power(basis)
    arithmetic.define_quotient(basis)
    conversion.define_line(basis)
    conversion.define_linear(basis.primal("mulx"))
    roots.define_roots(basis)
    roots.define_from_roots(basis)
    roots.define_companion(basis)
    fitting.define_fit(basis.primal("fit"), basis.primal("vander"), False)
    if prefix != "poly":
        conversion.define_linear(getattr(module, f"poly2{prefix}"))
        conversion.define_linear(getattr(module, f"{prefix}2poly"))
