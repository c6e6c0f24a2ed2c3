"""Numbers in files and in text, which have no derivative there."""

import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules.ad.interception.choosing.entering import entered_if_traced
from chainrules.ad.interception.choosing.ruled_calls import ruled
from chainrules.ad.traced.program_places import line_in_program
from chainrules.ad.traced.traced_classes import TRACED
from chainrules.ad.traced.written_numbers import note_numbers, numbers_of_array
from chainrules.ad.values.facts import fact
from chainrules_core import primal_of


def _writing(f: Any) -> Callable[..., Any]:
    """`f`, which writes arrays into files."""
    otherwise = ruled(f, entered_if_traced(f))

    def write(*args: Any, **kwargs: Any) -> Any:
        for x in args:
            if x.__class__ in TRACED:
                line = line_in_program(sys._getframe(1))
                note_numbers(x._trace, numbers_of_array(primal_of(x)), line)
        return otherwise(*args, **kwargs)

    return write


fact(np.save, np.savetxt, wrapped=_writing, has_effect=True)
fact(np.loadtxt, np.genfromtxt, np.load, reads_numbers=True, is_not_the_same_each_time=True)
fact(np.float64, np.fromstring, reads_numbers=True)
