"""Rules, by the module that owns the primal: those for `numpy` are in `chainrules.rulesets.numpy`.

Importing this package imports no rule: it names its files. Each is imported when one of the callees is first
looked up that it has rules for, in a program that has imported the module which the file is for.
"""

from chainrules.rulesets.contents import CONTENTS as _CONTENTS
from chainrules_core import register_ruleset as _register_ruleset

for _target, _files in _CONTENTS.items():
    for _file, _callees in _files.items():
        _own, _, _foreign = _callees.partition("|")
        _register_ruleset(_target, f"{__name__}.{_file}", _own.split(), _foreign.split())
