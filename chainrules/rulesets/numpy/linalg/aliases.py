"""Rules for the functions of `numpy.linalg` that are functions of `numpy` with fewer options."""

import numpy as np

from chainrules.makers.aliases import alias_rule

alias_rule(np.linalg.cross, np.cross)
alias_rule(np.linalg.diagonal, np.diagonal, axis1=-2, axis2=-1)
alias_rule(np.linalg.matmul, np.matmul)
alias_rule(np.linalg.matrix_transpose, np.matrix_transpose)
alias_rule(np.linalg.outer, np.outer)
alias_rule(np.linalg.tensordot, np.tensordot)
alias_rule(np.linalg.trace, np.trace, axis1=-2, axis2=-1)
alias_rule(np.linalg.vecdot, np.vecdot)
