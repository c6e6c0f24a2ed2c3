"""Write the generated pages of the documentation: ``python -m docs``; with ``--check`` only name stale ones.

Pages about other versions of Python and NumPy than this one's are left as they are.
"""

import sys

from docs.rule_pages import OVERVIEW, read, stale_pages, versions, write_pages

if f"Of {versions()}:" not in (read(OVERVIEW) or f"Of {versions()}:"):
    print(
        f"docs/{OVERVIEW} is about other versions than {versions()}; remove it to begin anew", file=sys.stderr
    )
else:
    for path in stale_pages() if "--check" in sys.argv else write_pages():
        print(f"docs/{path}")
