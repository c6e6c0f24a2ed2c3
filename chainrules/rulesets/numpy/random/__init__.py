"""Rules for the methods of `numpy.random.Generator` and `RandomState`.

A method is a function whose first argument is the generator: ``np.random.Generator.normal``. The rules of
bound methods, such as ``rng.normal``, and of the functions of `numpy.random`, which are bound methods of one
hidden generator, are in `chainrules.rulesets.types`.
"""
