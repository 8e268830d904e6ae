"""Settings for all tests: float64 and no deadlines for property tests."""

import jax
from hypothesis import settings

jax.config.update("jax_enable_x64", True)

# The first example of a property pays for a compilation, which says nothing about the property.
settings.register_profile("mathonet", deadline=None)
settings.load_profile("mathonet")
