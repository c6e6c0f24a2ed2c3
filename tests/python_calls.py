"""Which Python functions a call runs: how tests see that a common call takes the short way."""

import gc
import sys
from collections import Counter


def functions_run_by(call):
    """The names of the Python functions that `call` runs, each with how often; `call` itself is not counted.

    A condition that sends common calls a long way round gives right results, only slower, which no other test
    notices. What the first call prepares for later ones, as tables of rules, is prepared before counting.

    Parameters
    ----------
    call
        A function without parameters.

    Returns
    -------
    Counter
        Counts by qualified name, such as ``"ReverseTrace.call"``.
    """
    call()
    found = Counter()

    def count(frame, event, _):
        if event == "call" and frame.f_code is not call.__code__:
            found[frame.f_code.co_qualname] += 1

    before, collects = sys.getprofile(), gc.isenabled()
    gc.disable()  # whoever counts collections, as hypothesis does, is called by them
    sys.setprofile(count)
    try:
        call()
    finally:
        sys.setprofile(before)
        if collects:
            gc.enable()
    return found
