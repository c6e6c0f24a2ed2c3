"""A container of arrays, as other libraries have them, that the engine does not know."""


class Container:
    """Holds an array of any kind, and defers to it, as xarray's classes do."""

    __array_priority__ = 2000.0

    def __init__(self, data):
        self.data = data

    def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
        assert method == "__call__"
        return Container(ufunc(*(x.data if isinstance(x, Container) else x for x in inputs), **kwargs))

    def __array_function__(self, function, types, args, kwargs):
        return Container(function(*(x.data if isinstance(x, Container) else x for x in args), **kwargs))

    def __mul__(self, other):
        return Container(self.data * other)

    def __rmul__(self, other):
        return Container(other * self.data)
