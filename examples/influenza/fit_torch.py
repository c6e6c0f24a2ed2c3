"""Fit the epidemic from PyTorch: its autograd and its optimiser, through the same rule.

Run it with ``python examples/influenza/fit_torch.py [folder for the picture]``.
"""

import sys
from pathlib import Path

import torch
from model import DAYS, IN_BED, OUTPUT, START, ill, report

from chainrules.adapters import to_torch

torch_ill = to_torch(ill)


def main(folder=OUTPUT):
    """Fit the parameters, and report."""
    print("From PyTorch, by its L-BFGS:")
    parameters = torch.tensor(START, requires_grad=True)
    days, in_bed = torch.tensor(DAYS), torch.tensor(IN_BED)
    optimizer = torch.optim.LBFGS([parameters], line_search_fn="strong_wolfe", tolerance_grad=1e-4)
    calls = 0

    def loss():
        nonlocal calls
        calls += 1
        optimizer.zero_grad()
        value = torch.mean((torch_ill(parameters, days) - in_bed) ** 2)
        value.backward()
        return value

    for _ in range(5):
        optimizer.step(loss)
    report(parameters.detach(), calls, Path(folder) / "influenza_torch.png")


if __name__ == "__main__":
    main(*sys.argv[1:])
