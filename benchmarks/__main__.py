"""Print the table of ratios: ``python -m benchmarks [name ...]``, each name a module beside this one.

With ``--page`` they are written to `docs/benchmarks.md` as well.
"""

import os
import sys

# Before NumPy is imported: threads in BLAS make small products slower and every ratio noisier.
for _variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_variable, "1")

from rich.console import Console  # noqa: E402 - after the variables are set
from rich.table import Table  # noqa: E402 - as above

from benchmarks import (  # noqa: E402 - as above
    adapters_autograd,
    adapters_jax,
    adapters_mygrad,
    adapters_pytensor,
    adapters_torch,
    compiling,
    costs,
    decompositions,
    derivatives,
    dispatch,
    filtering,
    gradients,
    growth,
    imports,
    lazy,
    linear_maps,
    page,
    plots,
    primitives,
    projections,
    rules,
    scalar_rules,
    shortcuts,
    solvers,
    sparse,
    special,
    structured,
    testers,
)

MODULES = {
    "dispatch": dispatch,
    "rules": rules,
    "scalar_rules": scalar_rules,
    "shortcuts": shortcuts,
    "primitives": primitives,
    "imports": imports,
    "gradients": gradients,
    "compiling": compiling,
    "derivatives": derivatives,
    "filtering": filtering,
    "costs": costs,
    "growth": growth,
    "projections": projections,
    "decompositions": decompositions,
    "solvers": solvers,
    "special": special,
    "sparse": sparse,
    "structured": structured,
    "linear_maps": linear_maps,
    "lazy": lazy,
    "testers": testers,
    "adapters_autograd": adapters_autograd,
    "adapters_jax": adapters_jax,
    "adapters_mygrad": adapters_mygrad,
    "adapters_torch": adapters_torch,
    "adapters_pytensor": adapters_pytensor,
}


def main(names: list[str]) -> None:
    """Measure the named modules, or all, and print one table."""
    writes = "--page" in names
    names = [name for name in names if name != "--page"]
    unknown = [name for name in names if name not in MODULES]
    if unknown:
        raise SystemExit(f"no benchmark is named {', '.join(unknown)}; there are {', '.join(MODULES)}")
    console = Console()
    table = Table(title="Ratios of times, measured in one run")
    for column in ("what", "against"):
        table.add_column(column)
    for column in ("ratio", "at most"):
        table.add_column(column, justify="right")
    with console.status("measuring"):
        for name in names or MODULES:
            rows = list(MODULES[name].rows())
            if writes:
                summary = (MODULES[name].__doc__ or "").partition("\n")[0]
                page.write(page.section(name, summary, rows, plots.picture(name, rows)))
            for row in rows:
                target = "" if row.target is None else f"{row.target:g}"
                style = "" if row.holds else "red"
                table.add_row(row.what, row.against, f"{row.ratio:.2f}", target, style=style)
            table.add_section()
    console.print(table)


if __name__ == "__main__":
    main(sys.argv[1:])
