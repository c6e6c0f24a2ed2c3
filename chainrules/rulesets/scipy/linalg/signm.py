"""Rules for the sign of matrices.

For ``S = sign(A)`` and ``N = A S``, which is the square root of ``A²``: ``N S_dot + S_dot N = A_dot - S A_dot
S``. N. J. Higham, "Functions of Matrices", 2008, theorem 5.7. There is no derivative if ``A`` has an
eigenvalue on the imaginary axis: where it is zero, `numpy.linalg.LinAlgError` is raised.
"""

from scipy.linalg import signm

from chainrules.formulas.equations.sylvester_equations import derivative_of_root
from chainrules.makers.matrix_functions import matrix_function_rule


def _derivative(A, S, E):
    N = A @ S
    return derivative_of_root(N, E - S @ E @ S, "the sign")


matrix_function_rule(signm, _derivative)
