"""Rules for the noncentral distributions of chi-square, F and Student, and for their inverses.

The equations are in `chainrules/formulas/probabilities/noncentral_mixtures.py` and `noncentral_student.py`.
"""

from scipy import special

from chainrules.formulas.probabilities.distribution_slopes import of_probability
from chainrules.formulas.probabilities.noncentral_mixtures import (
    chi_by_df,
    chi_by_nc,
    chi_density,
    f_by_m,
    f_by_n,
    f_by_nc,
    f_by_x,
)
from chainrules.formulas.probabilities.noncentral_student import slope_of_df, slope_of_nc, slope_of_x
from chainrules.makers.lazy_partials import inverse_rule, lazy_scalar_rule

# --- Chi-square: x, df, nc ---------------------------------------------------------------------------------

CHI_SQUARE = of_probability(chi_density, chi_by_df, chi_by_nc)

lazy_scalar_rule(special.chndtr, *CHI_SQUARE)
inverse_rule(special.chndtrix, 0, CHI_SQUARE, solves=special.chndtr)
inverse_rule(special.chndtridf, 1, CHI_SQUARE, solves=special.chndtr)
inverse_rule(special.chndtrinc, 2, CHI_SQUARE, solves=special.chndtr)

# --- F: dfn, dfd, nc, x ------------------------------------------------------------------------------------

F = of_probability(f_by_n, f_by_m, f_by_nc, f_by_x)

lazy_scalar_rule(special.ncfdtr, *F)
inverse_rule(special.ncfdtridfn, 0, F, solves=special.ncfdtr)
inverse_rule(special.ncfdtridfd, 1, F, solves=special.ncfdtr)
inverse_rule(special.ncfdtrinc, 2, F, solves=special.ncfdtr)
inverse_rule(special.ncfdtri, 3, F, solves=special.ncfdtr)

# --- Student: df, nc, t ------------------------------------------------------------------------------------

STUDENT = of_probability(
    lambda df, nc, t: slope_of_df(t, df, nc),
    lambda df, nc, t: slope_of_nc(t, df, nc),
    lambda df, nc, t: slope_of_x(t, df, nc),
)

lazy_scalar_rule(special.nctdtr, *STUDENT)
inverse_rule(special.nctdtridf, 0, STUDENT, solves=special.nctdtr)
inverse_rule(special.nctdtrinc, 1, STUDENT, solves=special.nctdtr)
inverse_rule(special.nctdtrit, 2, STUDENT, solves=special.nctdtr)
