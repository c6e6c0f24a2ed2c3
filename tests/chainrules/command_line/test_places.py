"""Places are shown from the package on."""

from pathlib import Path

import chainrules
from chainrules.command_line.places import short, where_they_are

PACKAGE = Path(chainrules.__file__).parent


def test_places_in_packages():
    """The folder that Python imports the package from is named once, for all."""
    places = [f"{PACKAGE}/ad/values/config.py:3", f"{PACKAGE}/ad/modes/nodes.py:4", f"{PACKAGE}/py.typed"]

    assert list(map(short, places)) == [
        "chainrules/ad/values/config.py:3",
        "chainrules/ad/modes/nodes.py:4",
        "chainrules/py.typed",
    ]
    assert where_they_are(places) == [f"Paths are below {PACKAGE.parent}."]


def test_other_places():
    """They stay what they are."""
    for place in ("somewhere", "place unknown", "chainrules/ad/values/config.py:3", "/no/such/folder/a.py:1"):
        assert short(place) == place
        assert where_they_are([place]) == []
