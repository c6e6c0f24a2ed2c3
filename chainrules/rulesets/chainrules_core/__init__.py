"""Rules for what `chainrules_core` defines beside rules: the structured arrays."""
