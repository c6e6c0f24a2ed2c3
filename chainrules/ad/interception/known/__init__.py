"""Facts about functions of others, and functions that stand for them."""
