"""Tensors as NumPy arrays, and back."""

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch

from chainrules.adapters.errors import AdapterError
from chainrules.adapters.ownership import owned

_PLAIN_TENSORS = {torch.Tensor, torch.nn.Parameter}


class HostTransferWarning(UserWarning):
    """Tensors of another device are computed with on the host."""


def arrays_of(tensors: Sequence[torch.Tensor]) -> list[Any]:
    """The arrays in tensors, without a copy where they are on the host; numbers for tensors without axes.

    Raises
    ------
    AdapterError
        If NumPy has no arrays like one of the tensors: of bfloat16, sparse, or without values.
    """
    return [_array_of(tensor) for tensor in tensors]


def _array_of(tensor: torch.Tensor) -> Any:
    if type(tensor) not in _PLAIN_TENSORS or not tensor.is_cpu:
        _check_kind(tensor)
    try:
        array = tensor.numpy(force=True)
    except (TypeError, RuntimeError) as error:
        raise AdapterError(_why_unreadable(tensor)) from error
    return array if array.ndim else array[()]


def tensors_of(arrays: list[Any], device: torch.device | None) -> tuple[torch.Tensor, ...]:
    """Tensors with the values of arrays and numbers, whose memory nobody else holds.

    Parameters
    ----------
    arrays
        The list that holds them: they are copied where another place holds them too.
    device
        Where the tensors shall be; `None` for the host.

    Raises
    ------
    AdapterError
        If PyTorch has no tensors of the type of an array.
    """
    tensors = tuple([_tensor_of(array) for array in owned(arrays)])
    return tensors if device is None else tuple([tensor.to(device) for tensor in tensors])


def _tensor_of(array: np.ndarray) -> torch.Tensor:
    try:
        return torch.from_numpy(array)
    except TypeError as error:
        if not array.dtype.isnative:
            return torch.from_numpy(array.astype(array.dtype.newbyteorder("=")))
        raise AdapterError(
            f"A result is an array of {array.dtype}, and PyTorch has no such tensors. Return one of another "
            "type, such as `y.astype(float)`."
        ) from error


def device_of(tensors: Sequence[torch.Tensor]) -> torch.device | None:
    """The device of tensors; `None` if they are on the host.

    Raises
    ------
    AdapterError
        If they are on several devices, as for PyTorch's own functions.
    """
    devices = {tensor.device for tensor in tensors if not tensor.is_cpu}
    if len(devices) > 1:
        names = ", ".join(sorted(str(device) for device in devices))
        raise AdapterError(f"The tensors of one call are on several devices: {names}. Move them to one.")
    return devices.pop() if devices else None


def _check_kind(tensor: torch.Tensor) -> None:
    if torch.compiler.is_exporting() or _has_no_values(tensor):
        raise AdapterError(_why_unreadable(tensor))
    if not tensor.is_cpu:
        warnings.warn(
            f"A tensor on the device {tensor.device} is copied to the host, where NumPy computes, and the result "
            "is copied back.",
            HostTransferWarning,
            stacklevel=2,
        )


def _has_no_values(tensor: torch.Tensor) -> bool:
    return tensor.is_meta or isinstance(tensor, torch._subclasses.FakeTensor)


def _why_unreadable(tensor: torch.Tensor) -> str:
    return f"{tensor.dtype} {tensor.layout} {type(tensor)}"
