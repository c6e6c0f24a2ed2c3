"""The classes of tensors with which `primitive` goes to their frameworks, none of which is imported here."""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from chainrules_core import register_carrier


@dataclass(frozen=True)
class Bridge:
    """The backend of a framework's tensors: calls are adapted to it, and differentiated by it.

    Attributes
    ----------
    module
        The module of the bridge, which imports the framework. It has the two functions of a backend,
        ``call(f, args, kwargs)`` and ``primal(x)``.
    """

    module: str

    def call(self, f: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
        """Call `f`, adapted to the framework."""
        return import_module(self.module).call(f, args, kwargs)

    def primal(self, x: Any) -> Any:
        """The array in a tensor."""
        return import_module(self.module).primal(x)


_CLASSES = {
    "chainrules.adapters.torch.backend": [("torch", "Tensor")],
    "chainrules.adapters.jax.backend": [
        ("jax._src.core", "Tracer"),
        ("jaxlib._jax", "ArrayImpl"),
        ("jaxlib.xla_extension", "ArrayImpl"),
    ],
    "chainrules.adapters.autograd.backend": [("autograd.tracer", "Box")],
    "chainrules.adapters.pytensor.backend": [("pytensor.graph.basic", "Variable")],
    "chainrules.adapters.mygrad.backend": [("mygrad.tensor_base", "Tensor")],
}

for _module, _names in _CLASSES.items():
    _bridge = Bridge(_module)
    for _where, _name in _names:
        register_carrier(_where, _name, _bridge)
