"""Functions of dataclasses that make containers and instances of what an instance holds."""

import dataclasses

from chainrules.ad.values.facts import fact

fact(dataclasses.asdict, dataclasses.astuple, dataclasses.replace, is_entered=True)
