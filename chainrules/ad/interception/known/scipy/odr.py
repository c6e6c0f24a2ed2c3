"""Orthogonal distance regression, the model of which may hold traced values."""

from chainrules.ad.interception.choosing.entering import entered
from chainrules.ad.values.facts import fact

fact("scipy.odr._odrpack.ODR.run", wrapped=lambda run: entered(run) or run)
