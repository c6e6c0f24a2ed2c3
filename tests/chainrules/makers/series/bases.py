"""The bases that the rules of series are tested in."""

import numpy as np
import pytest

from chainrules.makers.series.basis import Basis

BASES = {
    "poly": Basis(np.polynomial.polynomial, "poly"),
    "cheb": Basis(np.polynomial.chebyshev, "cheb"),
    "leg": Basis(np.polynomial.legendre, "leg"),
    "lag": Basis(np.polynomial.laguerre, "lag"),
    "herm": Basis(np.polynomial.hermite, "herm"),
    "herme": Basis(np.polynomial.hermite_e, "herme"),
}

in_every_basis = pytest.mark.parametrize("basis", BASES.values(), ids=BASES)
