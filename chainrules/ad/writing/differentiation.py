"""The base of both modes and of the trace of constants, with the functions that traced values call."""

import itertools

import numpy as np

from chainrules.ad.calls.calling import apply, apply_to_two
from chainrules.ad.calls.mutation import MutationGuard
from chainrules.ad.calls.rule_inputs import RuleInputs, before_writing
from chainrules.ad.traced.instances import assign_to_originals
from chainrules.ad.traced.trace import Trace
from chainrules.ad.traced.tracing import bring_up_to_date
from chainrules.ad.traced.views import as_view, flat, item
from chainrules.ad.watching.observing import ShapeGuard, observers
from chainrules.ad.writing.statements import update, write
from chainrules_core import debug_mode

_next_number = itertools.count().__next__

# Whoever frees a block of this size, which is less than the 32 MB from which on glibc learns nothing, shows
# that such blocks come and go. No page of it is touched.
_BYTES = 2**24


def keep_freed_memory() -> None:
    """Let glibc keep up to twice 16 MB of free memory, as it does in programs that have freed large arrays.

    A gradient frees all results on its way at once. glibc gives what is free at the end of its heap back to
    the system, from 128 kB on, so that the next gradient has to ask for it again, page by page,
    which may take as long as all the rest. Other C libraries take no notice. Who sets
    ``MALLOC_TRIM_THRESHOLD_`` in the environment decides alone:
    https://man7.org/linux/man-pages/man3/mallopt.3.html (``M_MMAP_THRESHOLD``, "dynamic").
    """
    np.empty(_BYTES, np.uint8)


class Differentiation(Trace):
    """A trace with the functions of rooms above its own, which its values call."""

    __slots__ = ()

    apply, apply_to_two = staticmethod(apply), staticmethod(apply_to_two)
    write, update = staticmethod(write), staticmethod(update)
    before_writing = staticmethod(before_writing)
    as_view, item, flat = staticmethod(as_view), staticmethod(item), staticmethod(flat)
    bring_up_to_date, assign_to_originals = staticmethod(bring_up_to_date), staticmethod(assign_to_originals)

    def __init__(self) -> None:
        self.number = _next_number()
        if self.number == 0:
            keep_freed_memory()
        seen_by = observers() and tuple([observer.begun() for observer in observers()])
        self.observers = (ShapeGuard(), MutationGuard(), *seen_by) if debug_mode() else seen_by
        self.recall = self.remembered
        for observer in self.observers:
            self.recall = observer.recalled(self.mode, self.recall)
        self.has_ended = False
        self.rule_inputs = RuleInputs()
        self.refused = self.stand_ins = self.changed = self.warned = self.written_numbers = self.lost = None
