"""Numbers of any precision; `mpmath.fp` computes with Python's own."""

from chainrules.ad.values.facts import fact

_INSTEAD = (
    "mpmath, and SymPy by it, compute with whole numbers, which have no derivative: write functions of "
    "NumPy, `scipy.special` or `mpmath.fp`, or give the function that calls it a rule, see `rrule.dispatch`."
)
fact("mpmath.ctx_mp_python", "mpmath.libmp", refused=_INSTEAD, refused_values=_INSTEAD)
