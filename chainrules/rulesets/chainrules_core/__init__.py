"""Rules for the structured arrays that `chainrules_core` defines."""
