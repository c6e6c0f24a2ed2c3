"""The names of interpolants: those by which their rules are looked up."""

from chainrules.ad.derivatives.following import FOLLOWED
from chainrules.values.interpolants import CALLEES
from chainrules_core.dispatch.callee_names import name_of_member


def test_names_are_found():
    """Each callee is looked up by a name by which its rules are found, in every version of SciPy."""
    for member in FOLLOWED.__args__:
        is_class = isinstance(member, type) and member.__module__.startswith("scipy.")
        assert (f"{member.__name__}()" if is_class else name_of_member(member)) in CALLEES
