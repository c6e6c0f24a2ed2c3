"""Compiled functions beside the functions themselves: results, warnings and errors."""

import warnings

from chainrules.ad.recording.compiled import compiled
from chainrules.ad.recording.running import difference_between


def answers(f, *args):
    """The result of a call, or the class of its error, with the warnings of NumPy's."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            y = f(*args)
        except Exception as error:  # noqa: BLE001 - whatever it is
            y = type(error).__name__
    # Shortcuts take the dot product where rules multiply matrices, and NumPy warns of one of them.
    messages = {str(w.message) for w in caught if issubclass(w.category, RuntimeWarning)}
    return y, messages - {"invalid value encountered in dot"}


def agrees(f, points, **options):
    """The compiled function, which agrees with the other at all points, in warnings and errors too."""
    c = compiled(f, **{"strict": True, "compare": False, **options})
    for point in (*points, *points):
        (y, told), (plain, told_plain) = answers(c, *point), answers(f, *point)
        assert difference_between(y, plain) is None, (point, y, plain)
        assert told == told_plain
    # What is generated wrongly is noticed by its first result, and does not run. It is a mistake still.
    assert not [reason for _, reason in c.variants.refusals if "numbers that differ" in reason]
    return c
