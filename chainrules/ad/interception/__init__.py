"""Calls in the code that is differentiated: what becomes of them."""

# With it, all is known of functions of others before anything is differentiated.
from chainrules.ad.interception import known as known
