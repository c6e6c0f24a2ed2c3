"""Calls in code that is differentiated are intercepted, so that rules apply where nobody asked for them."""
