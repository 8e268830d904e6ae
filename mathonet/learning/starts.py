"""Random starts of small super-graphs: weights inside, scaled to what the operations bend over."""

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

from mathonet.network.supergraph import SuperGraph, value_of
from mathonet.operations import Operation

ONE_SIDED, PERIODIC, CENTRED = range(3)
"""Where the argument of an operation starts: on one side of zero, anywhere on the circle, around zero."""
PLACES = {
    "inv": ONE_SIDED,
    "log": ONE_SIDED,
    "sqrt": ONE_SIDED,
    "sin": PERIODIC,
    "cos": PERIODIC,
    "tan": PERIODIC,
}
"""Of operations by name; all others start around zero."""
SHARES = (0.3, 0.5, 0.8)
"""Of the products in an argument, how many live at the start: one of these each time."""
DISTANCE, FREQUENCY, SLOPE = (-2.0, 1.3), (-0.3, 1.2), (-0.3, 1.2)
"""Powers of ten between which the distance from zero, a frequency and a slope start, in units of the range of
the argument."""
LEAST_RANGE = 1e-9
"""Range below which a product does not vary."""


def draw(
    graph: SuperGraph,
    operations: tuple[Operation, ...],
    z: Float[Array, "places samples"],
    key: Array,
    least: Array | float = 0.0,
) -> Float[Array, "calls arguments"]:
    """Random weights inside, so that every argument has a range that its operation bends over.

    Args:
        graph: its structure; the first product of every argument is the constant.
        operations: those that it may call.
        z: ones, then the inputs, at every sample.
        key: of the random numbers.
        least: share of the products in an argument that live at the start, at least.
    """
    places = jnp.asarray([PLACES.get(each.name, CENTRED) for each in operations])
    given, found = z.shape[0], []
    for call in range(graph.operation.shape[0]):
        key, own = jax.random.split(key)
        operation = jnp.maximum(graph.operation[call], 0)
        w = _argument(
            graph.argument[call], graph.argument_lives[call], z, given, places[operation], least, own
        )
        first, second = graph.argument[call].T
        z = jnp.concatenate([z, value_of(graph, call, operations, w @ (z[first] * z[second]))[None]])
        found.append(w)
    return jnp.stack(found)


def _argument(
    products: Array, lives: Array, z: Array, given: int, place: Array, least: Array | float, key: Array
) -> Array:
    """The weights of one argument."""
    share, kept, one, size, scale, where = jax.random.split(key, 6)
    first, second = products.T
    values = z[first] * z[second]
    extent = jnp.ptp(values, axis=1)
    varies = (extent > LEAST_RANGE) & (lives > 0)
    living = jnp.maximum(jax.random.choice(share, jnp.asarray(SHARES)), least)
    some = jax.random.uniform(kept, lives.shape) < living
    # One product lives in any case, one with an earlier call where there is any.
    nested = (jnp.max(products, axis=1) >= given) & varies
    chosen = jax.random.categorical(
        one, jnp.where(varies & (nested | ~jnp.any(nested)), 0.0, -jnp.inf).at[0].max(-1e3)
    )
    some = (some & varies).at[chosen].set(varies[chosen])
    w = jnp.where(some, jax.random.normal(size, lives.shape) / jnp.where(varies, extent, 1.0), 0.0)
    spread = jnp.ptp(w @ values)
    w = w / jnp.where(spread > LEAST_RANGE, spread, 1.0)
    lowest = jnp.min(w @ values)
    uniform, position = jax.random.uniform(scale), jax.random.uniform(where)
    distance, frequency, slope = (
        10.0 ** (low + (high - low) * uniform) for low, high in (DISTANCE, FREQUENCY, SLOPE)
    )
    factor = jnp.stack([jnp.ones(()), frequency, slope])[place]
    # On a range of one: at a distance from zero; any phase; zero somewhere in the range, or just outside.
    middle = lowest + 1.4 * position - 0.2
    constant = jnp.stack([distance - lowest, 2 * jnp.pi * position, -slope * middle])[place]
    return (factor * w).at[0].set(constant) * (lives > 0)
