"""Input and output, to files and to text: none is differentiable.

`numpy.frombuffer` of an array and `numpy.from_dlpack` are not among them: their results hold the numbers of
an array, so that they have a derivative.
"""

import numpy as np

from chainrules_core import non_differentiable

non_differentiable(np.load, np.save, np.savez, np.savez_compressed)
non_differentiable(np.loadtxt, np.savetxt, np.genfromtxt, np.fromregex, np.fromstring, np.fromfile)
non_differentiable(np.frombuffer, bytes | bytearray, varargs=object)
non_differentiable(np.array2string, np.array_repr, np.array_str)
non_differentiable(np.format_float_positional, np.format_float_scientific, np.base_repr, np.binary_repr)
non_differentiable(np.get_printoptions, np.set_printoptions, np.printoptions)
