"""The rules that this project ships, told from those that tests make."""

from pathlib import Path

import chainrules
from chainrules_core import frule, rrule
from chainrules_core.dispatch.rule_location import place_of_rule

RULESETS = Path(chainrules.__file__).parent / "rulesets"


def is_shipped(method):
    """Whether a rule stands in a file of the rulesets."""
    place = place_of_rule(method.function)
    return place is not None and place[0].startswith(f"{RULESETS}/")  # testers ask again and again


def shipped_rules():
    """Every rule of the rulesets, with the path of its file below them."""
    for rules in (rrule, frule):
        for method in rules.methods():
            if is_shipped(method):
                yield method, Path(place_of_rule(method.function)[0]).relative_to(RULESETS)
