"""How the programs in `examples` are run, each in an interpreter of its own."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
PNG = b"\x89PNG\r\n\x1a\n"


def run_program(name: str, *arguments: object) -> str:
    """What a program prints; the first argument of one that saves a picture is the folder for it."""
    paths = [str(ROOT), os.environ.get("PYTHONPATH", "")]
    # Matrices this small are slower in several threads, and many times so where those share a core.
    threads = dict.fromkeys(["OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"], "1")
    result = subprocess.run(
        [sys.executable, ROOT / "examples" / f"{name}.py", *map(str, arguments)],
        env=os.environ | threads | {"PYTHONPATH": os.pathsep.join(filter(None, paths))},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    return result.stdout


def is_picture(path: Path) -> bool:
    """Whether a file is a picture with something in it."""
    return path.read_bytes().startswith(PNG) and path.stat().st_size > 10_000
