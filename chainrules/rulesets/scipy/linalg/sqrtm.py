"""Rules for the square root of matrices.

For ``X² = A``: ``X X_dot + X_dot X = A_dot``. N. J. Higham, "Functions of Matrices", 2008, section 6.1. It
has a derivative where ``X`` and ``-X`` have no eigenvalue in common, which is so if zero is no eigenvalue;
otherwise `numpy.linalg.LinAlgError` is raised.
"""

from scipy.linalg import sqrtm

from chainrules.formulas.equations.sylvester_equations import derivative_of_root
from chainrules.makers.matrix_functions import matrix_function_rule

matrix_function_rule(sqrtm, lambda A, X, E: derivative_of_root(X, E))
