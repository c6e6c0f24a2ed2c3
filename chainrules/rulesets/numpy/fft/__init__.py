"""Rules for the functions of `numpy.fft`."""

# ruff: noqa: F401 - importing these modules registers their rules
from chainrules.rulesets.numpy.fft import frequencies, transforms
