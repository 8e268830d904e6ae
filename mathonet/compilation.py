"""Compiled programs: they are kept between processes, and made for few sizes."""

import os
import tempfile
from pathlib import Path

SHORTEST = 0.1
"""Seconds of a compilation from which on its program is kept."""


def keep_compiled(folder: str | Path | None = None) -> Path:
    """Keep compiled programs for later processes, and use those that were kept.

    The command line does so. In Python it has to be asked for, for it changes JAX's settings.

    Args:
        folder: where they are kept; None for `mathonet/jax` in the user's cache.

    Raises:
        ConfigError: nothing can be written there.
    """
    import jax

    from mathonet.errors import ConfigError

    cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    kept = Path(cache) / "mathonet" / "jax" if folder is None else Path(folder)
    try:
        kept.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=kept):
            pass
    except OSError as error:
        raise ConfigError(
            f"Nothing can be kept in {str(kept)!r} ({error.strerror}): give another folder."
        ) from error
    jax.config.update("jax_compilation_cache_dir", str(kept))
    jax.config.update("jax_persistent_cache_min_compile_time_secs", SHORTEST)
    jax.config.update("jax_persistent_cache_min_entry_size_bytes", -1)
    return kept


def size_to_compile(count: int, least: int = 1) -> int:
    """The size that so many are padded to, a power of two: JAX compiles a program once a size."""
    return max(least, 1 << max(count - 1, 0).bit_length())
