"""Second oracles of the testers: the derivatives that other frameworks have of the same functions.

`find_oracle` finds one. The frameworks are imported when somebody asks for them.
"""

from chainrules_testutils.oracles.finding import find_oracle
from chainrules_testutils.oracles.framework import Framework
from chainrules_testutils.oracles.oracle import Oracle

__all__ = ["find_oracle", "Framework", "Oracle"]
