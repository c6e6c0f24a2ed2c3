"""The commands of ``python -m chainrules``: each file holds one command, or one thing that they share."""
