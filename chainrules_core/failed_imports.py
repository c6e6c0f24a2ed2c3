"""Warnings for modules that could not be imported, at the line of the import that failed."""

import traceback
import warnings


def warn_of_failed_import(consequence: str, module: str, error: Exception, category: type[Warning]) -> None:
    """Warn at the line on which the import of a module failed.

    Parameters
    ----------
    consequence
        What could not be imported, and what follows from it.
    module
        The module.
    error
        What its import raised.
    category
        The kind of warning.
    """
    file, line = _place(error)
    own = _line_of(module, error)
    place = ""
    if file:
        place = f", at {file}:{line}"
    if own and own != (file, line):
        place += f", imported at {own[0]}:{own[1]}"
    text = f"{consequence}: {type(error).__name__}: {error}{place}"
    if file:
        warnings.warn_explicit(text, category, file, line)
    else:  # there is no such module
        warnings.warn(text, category, stacklevel=4)


def _place(error: Exception) -> tuple[str, int]:
    """Where an import failed; no file, if what was to be imported was not found."""
    if isinstance(error, SyntaxError) and error.filename and error.lineno:
        return error.filename, error.lineno
    frames = traceback.extract_tb(error.__traceback__)
    of_importlib = [
        place for place, frame in enumerate(frames) if frame.filename.startswith("<frozen importlib")
    ]
    began = of_importlib[0] if of_importlib else len(frames)
    imported = [frame for frame in frames[began:] if not frame.filename.startswith("<frozen ")]
    return (imported[-1].filename, imported[-1].lineno or 0) if imported else ("", 0)


def _line_of(module: str, error: Exception) -> tuple[str, int] | None:
    """The line of a module that its import came to."""
    for frame, line in traceback.walk_tb(error.__traceback__):
        if frame.f_globals.get("__name__") == module:
            return frame.f_code.co_filename, line
    return None
