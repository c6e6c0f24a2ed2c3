"""The testers: what is asked of a rule, in which order, and with which arguments."""
