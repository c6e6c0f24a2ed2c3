"""Rules for `scipy.integrate`."""
