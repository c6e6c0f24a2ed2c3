"""Text that is kept once."""

import sys

from chainrules.ad.traced.formatted_text import FormattedText
from chainrules.ad.values.facts import fact


def _interned(x: str, /) -> str:
    return sys.intern(x.plain() if x.__class__ is FormattedText else x)


fact(sys.intern, stands_for_it=_interned)
