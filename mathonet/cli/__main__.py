"""`python -m mathonet.cli` is the command `mathonet`."""

import sys

from mathonet.cli import main

if __name__ == "__main__":
    sys.exit(main())
