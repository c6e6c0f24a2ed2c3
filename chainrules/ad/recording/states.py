"""In which blocks of NumPy's state of warnings the steps of a program stand."""

from chainrules.ad.recording.error_state import Modes
from chainrules.ad.recording.looks import state_that_matters
from chainrules.ad.recording.passes import Needed
from chainrules.ad.recording.slots import Slot, step_slot
from chainrules.ad.recording.tape import Step


def in_states(needed: Needed, ambient: Modes) -> list[tuple[Step, Slot, Modes | None]]:
    """Each step, its slot, and NumPy's state of errors in the block around it; `None` outside of blocks.

    To change the state takes as long as an operation. So a block goes on where it makes no difference.

    Parameters
    ----------
    needed
        What runs.
    ambient
        The state around the program.
    """
    assumed = needed.assumed
    steps = [(step, Slot("look", i)) for i, step in assumed.items() if i < 0]
    for i in needed.steps:
        steps += [(needed.step(i), step_slot(i))]
        steps += [(assumed[i], Slot("look", -1))] if i in assumed else []
    steps += [(step, Slot("last", i)) for i, step in enumerate(needed.last)]
    states = [state_that_matters(step, slot in needed.quiet) for step, slot in steps]
    wanted = {slot: state for (_, slot), state in zip(steps, states, strict=True) if state}
    for chain in needed.chains:  # which runs in one state
        state = next((wanted[step_slot(i)] for i in chain if step_slot(i) in wanted), ())
        wanted |= dict.fromkeys(map(step_slot, chain), state)
    found: list[tuple[Step, Slot, Modes | None]] = []
    block: Modes | None = None
    for (step, slot), own in zip(steps, states, strict=True):
        state = wanted.get(slot, own)
        block = (None if state == ambient else state) if state else block
        found.append((step, slot, block))
    return found
