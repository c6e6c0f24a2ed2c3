"""Text that is evaluated."""

from chainrules.ad.interception.choosing.entering import entered_if_traced
from chainrules.ad.interception.choosing.numbers_from_text import reading
from chainrules.ad.values.facts import fact

fact("ast.literal_eval", wrapped=lambda f: reading(entered_if_traced(f)))
