"""Questions about rules from a shell: ``python -m chainrules --help``."""

import sys

from chainrules.command_line.main import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
