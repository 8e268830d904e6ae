"""A MathONet with a learned stencil, as a mask of a larger super-graph, and the stencil's moments.

The model is  kernel * u + MathONet(u): the first neurons of the only layer are linear in the neighbours, one
for each field (the kernel), the others see the fields at the point itself. Nothing constrains the kernel.
"""

import numpy as np

from mathonet.network.mask import initial_mask
from mathonet.network.mathonet import Architecture, Layer, MathONet
from mathonet.operations import Operation, get


def stencil_architecture(
    fields: int, radius: int, hidden: int, operations: tuple[Operation, ...], outputs: int = 1
) -> Architecture:
    """Inputs are the neighbours of every field; one more neuron a field holds its kernel."""
    named = {operation.name: operation for operation in (get("ident"), *operations)}
    return Architecture(fields * (2 * radius + 1), (fields + hidden,), tuple(named.values()), outputs)


def stencil_mask(architecture: Architecture, fields: int, radius: int) -> MathONet:
    """Where weights may live: kernels in the first neurons, the MathONet of the centres in the others."""
    full = initial_mask(architecture)
    width = 2 * radius + 1
    centres = np.arange(fields) * width + radius
    layer = full.layers[0]
    poly, bias, oper = (np.array(part, bool) for part in (layer.poly, layer.bias, layer.oper))
    others = np.setdiff1d(np.arange(architecture.inputs), centres)
    for field in range(fields):
        own = np.zeros(architecture.inputs, bool)
        own[field * width : (field + 1) * width] = True
        poly[field] = False
        poly[field, own, -1] = True
        bias[field] = False
        oper[field] = np.array([operation.name == "ident" for operation in architecture.operations])
    poly[fields:, others, :] = False
    poly[fields:, :, others] = False
    return MathONet((Layer(poly, bias, oper),), full.output, architecture)  # pyright: ignore[reportArgumentType]


def moment_matrix(radius: int, spacing: float, orders: int = 5) -> np.ndarray:
    """Rows n of m_n = sum_j k_j (j dx)^n: a kernel k acts as m_0 u + m_1 u_x + m_2 u_xx/2 + ..."""
    offsets = np.arange(-radius, radius + 1) * spacing
    return offsets[None, :] ** np.arange(orders)[:, None]
