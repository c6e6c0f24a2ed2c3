"""Rules for the logarithm of matrices; see `chainrules.formulas.functions_of_matrices.matrix_logarithms`."""

from scipy.linalg import logm

from chainrules.formulas.functions_of_matrices.matrix_logarithms import derivative_of_logarithm
from chainrules.makers.matrix_functions import matrix_function_rule

matrix_function_rule(logm, lambda A, _, E: derivative_of_logarithm(A, E))
