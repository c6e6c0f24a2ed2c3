"""What becomes of results that have no derivative."""

import numpy as np
import pytest

from chainrules.ad import jvp, vjp
from chainrules.ad.traced.formatted_text import FormattedText

MAKING_TEXT = (str, ascii, lambda x: format(x, ".2f"), np.array2string, np.format_float_positional)


@pytest.mark.parametrize("f", MAKING_TEXT)
def test_text(f):
    """All functions whose rule says that they make text of a value, in both modes."""
    x = np.ones(2) if f is np.array2string else 1.5
    seen = []
    vjp(lambda x: seen.append(f(x)) or x, x)
    jvp(lambda x: seen.append(f(x)) or x, (x,), (x,))

    assert [type(text) for text in seen] == [FormattedText] * 2
    assert seen[0] == seen[1]


def test_other_results():
    """They are what they are."""
    seen = []
    vjp(lambda x: seen.extend([np.argmax(x), np.floor(x)]) or x, np.ones(2))

    assert [type(y) for y in seen] == [np.int64, np.ndarray]
