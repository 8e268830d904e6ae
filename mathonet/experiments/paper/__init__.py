"""The paper's results, each by a command: `mathonet paper NAME --out DIR`."""
