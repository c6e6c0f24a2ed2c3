"""Builtins without derivative: they count, compare, convert to text or integers, or ask about a value."""

from chainrules_core import non_differentiable

non_differentiable(all, any, callable, hasattr, hash, id, isinstance, issubclass, len, ord)
non_differentiable(ascii, bin, chr, format, hex, oct, print, repr)
non_differentiable(open, input, help, compile)
non_differentiable(dir, object)  # without an argument it is about the caller, as `vars` and `eval` are

# One by one: of several, all but the first would be taken for the types of its arguments.
for kind in (bool, bytearray, bytes, int, range, slice, str):
    non_differentiable(kind)
