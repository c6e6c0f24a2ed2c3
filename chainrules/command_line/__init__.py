"""The commands of ``python -m chainrules``: each file holds one, or one thing that the commands share."""
