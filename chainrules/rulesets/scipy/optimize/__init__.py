"""Rules for `scipy.optimize`: roots and optima."""
