"""Rules, by the module that owns the primal: the rules for `numpy` are in `chainrules.rulesets.numpy`.

Importing this package imports no rule: it names its files. Each file is imported when one of the callees that
it has rules for is first looked up, in a program that has imported the module that the file is for.
"""

from chainrules.rulesets.contents import CONTENTS as _CONTENTS
from chainrules.values.followed_functions import FOLLOWED as _FOLLOWED
from chainrules.values.followed_functions import callee_names as _callee_names
from chainrules.values.followed_functions import foreign_callee_names as _foreign_callee_names
from chainrules.values.lazy_functions import LAZY_FUNCTIONS as _LAZY
from chainrules.values.lazy_functions import refusal_of_lazy as _refusal_of_lazy
from chainrules_core import register_ruleset as _register_ruleset
from chainrules_core import screen_rules as _screen_rules

for _target, _files in _CONTENTS.items():
    for _file, _callees in _files.items():
        _own, _, _foreign = _callees.partition("|")
        _register_ruleset(_target, f"{__name__}.{_file}", _own.split(), _foreign.split())

# Not rules, but what tangents of objects are: known before one of their rules is looked up.
_register_ruleset("scipy.spatial", "chainrules.values.spatial_objects")

# Rules by which the engine follows SciPy's code: they stand there, as rules do not import it.
_FOLLOWING = "chainrules.ad.derivatives.following:follow"
for _target in _FOLLOWED:
    _register_ruleset(_target, _FOLLOWING, _callee_names(_target), _foreign_callee_names(_target))

# Not in the table, which is written where Dask need not be: its functions have NumPy's names.
_DASKS = {"Array.rechunk", "ufunc()"}.union(
    *(_LAZY[module] for module in ("numpy", "numpy.linalg", "numpy.fft"))
)
_register_ruleset("dask.array", f"{__name__}.dask.array", sorted(_DASKS))
_screen_rules("dask.array.core", "Array", _refusal_of_lazy)
