"""The command line: `mathonet`, or `python -m mathonet.cli`. Nothing here waits for the numerical stack."""

from mathonet.cli.commands import main

__all__ = ["main"]
