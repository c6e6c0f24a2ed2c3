"""Rules for the functions that make SciPy's objects of orthogonal polynomials.

The objects hold numbers that have no derivatives by the parameters of a family: the functions `eval_jacobi`
and its like have these. Calls of the objects have rules in `_orthogonal.py`.
"""

from typing import Any

from scipy.special import (
    chebyc,
    chebys,
    chebyt,
    chebyu,
    gegenbauer,
    genlaguerre,
    hermite,
    hermitenorm,
    jacobi,
    laguerre,
    legendre,
    sh_chebyt,
    sh_chebyu,
    sh_jacobi,
    sh_legendre,
)

from chainrules.makers.lazy_partials import lazy_scalar_rule
from chainrules_core import non_differentiable, not_implemented

non_differentiable(chebyc)
non_differentiable(chebys)
non_differentiable(chebyt)
non_differentiable(chebyu)
non_differentiable(hermite)
non_differentiable(hermitenorm)
non_differentiable(laguerre)
non_differentiable(legendre)
non_differentiable(sh_chebyt)
non_differentiable(sh_chebyu)
non_differentiable(sh_legendre)


def _by_parameter(y: Any, *_: Any, **__: Any) -> Any:
    return not_implemented(
        "the polynomials that SciPy makes hold numbers: write `eval_jacobi` or its like, of the family"
    )


lazy_scalar_rule(gegenbauer, _by_parameter, _by_parameter, orders=(0,))
lazy_scalar_rule(genlaguerre, _by_parameter, _by_parameter, orders=(0,))
lazy_scalar_rule(jacobi, _by_parameter, _by_parameter, _by_parameter, orders=(0,))
lazy_scalar_rule(sh_jacobi, _by_parameter, _by_parameter, _by_parameter, orders=(0,))
