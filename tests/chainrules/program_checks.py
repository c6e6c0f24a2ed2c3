"""Checks of programs that make objects of traced values, as a user of `chainrules.ad` writes them."""

from chainrules.ad import ADConfig
from chainrules_core import frule_via_ad, rrule_via_ad
from chainrules_testutils import test_frule, test_rrule


def check_program(f, *args, order=2):
    """Compare the derivatives of a program in both modes, and those of its gradient, with differences."""
    test_frule(f, *args, frule_f=frule_via_ad, config=ADConfig())
    test_rrule(f, *args, rrule_f=rrule_via_ad, config=ADConfig(), order=order)


def check_via_ad(f, *args, **fkwargs):
    """Check the rules of a function that call back into AD, with that of `chainrules.ad`."""
    test_frule(f, *args, fkwargs=fkwargs, config=ADConfig())
    test_rrule(f, *args, fkwargs=fkwargs, config=ADConfig())
