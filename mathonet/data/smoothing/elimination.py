"""Elimination: block-tridiagonal positive systems by halving, with blocks of their inverse.

Every second block is eliminated, all at once; what is left is again block-tridiagonal and half as long. This
is Cholesky's method in another order: as stable, time linear in the number of blocks, and only whole-array
operations. Leading axes are a batch of systems.
"""

from dataclasses import dataclass

import numpy as np

_NEAR_ZERO = 1e-15
"""Added to unit diagonals: what rounding may take from them."""


def _turned(matrices: np.ndarray) -> np.ndarray:
    return np.swapaxes(matrices, -1, -2)


def applied(matrices: np.ndarray, vectors: np.ndarray) -> np.ndarray:
    """Matrices (..., n, m) times vectors (..., m)."""
    return (matrices @ vectors[..., None])[..., 0]


@dataclass(frozen=True)
class _Level:
    """Eliminated blocks: inverse Cholesky factors; couplings to both sides and right side times these."""

    inverse: np.ndarray
    left: np.ndarray
    right: np.ndarray
    value: np.ndarray


@dataclass(frozen=True)
class Eliminated:
    """A solved system.

    Attributes:
        solution: (..., blocks, size).
        log_det: of the matrix.
        levels: what was eliminated, finest first; the last is the one block left.
    """

    solution: np.ndarray
    log_det: np.ndarray
    levels: list[_Level]

    def inverse(self) -> tuple[np.ndarray, np.ndarray]:
        """Diagonal blocks of the inverse, and those beside them, in the shapes of `eliminate`."""
        last = self.levels[-1].inverse
        own: np.ndarray = _turned(last) @ last
        beside = np.empty((*own.shape[:-3], 0, *own.shape[-2:]))
        for level in reversed(self.levels[:-1]):
            odd, even = level.inverse.shape[-3], own.shape[-3]
            ends = even - 1  # how many eliminated blocks have a right neighbour
            back = _turned(level.inverse)
            to_left, to_right = back @ level.left, back @ level.right
            left, right = own[..., :odd, :, :], _padded(own[..., 1:, :, :], odd)
            across = _padded(beside, odd)
            with_left = -(to_left @ left + to_right @ _turned(across))
            with_right = -(to_left @ across + to_right @ right)
            here = back @ level.inverse - with_left @ _turned(to_left) - with_right @ _turned(to_right)
            full = np.empty((*own.shape[:-3], odd + even, *own.shape[-2:]))
            full[..., ::2, :, :], full[..., 1::2, :, :] = own, here
            beside = np.empty((*own.shape[:-3], odd + even - 1, *own.shape[-2:]))
            beside[..., ::2, :, :] = _turned(with_left)
            beside[..., 1::2, :, :] = with_right[..., :ends, :, :]
            own = full
        return own, beside


def _padded(blocks: np.ndarray, count: int) -> np.ndarray:
    """Blocks followed by one of zeros if there is one too few."""
    if blocks.shape[-3] == count:
        return blocks
    nothing = np.zeros((*blocks.shape[:-3], count - blocks.shape[-3], *blocks.shape[-2:]))
    return np.concatenate([blocks, nothing], axis=-3)


def eliminate(own: np.ndarray, beside: np.ndarray, value: np.ndarray) -> Eliminated:
    """Solve a system.

    Args:
        own: diagonal blocks (..., blocks, size, size).
        beside: blocks in row k and column k + 1 (..., blocks - 1, size, size).
        value: right side (..., blocks, size).

    Raises:
        LinAlgError: the matrix is not positive.
    """
    levels: list[_Level] = []
    log_det = np.zeros(own.shape[:-3])
    while own.shape[-3] > 1:
        inverse, log_dets = _inverse_factor(own[..., 1::2, :, :])
        log_det = log_det + log_dets
        odd = inverse.shape[-3]
        left = inverse @ _turned(beside[..., ::2, :, :])
        right = inverse @ _padded(beside[..., 1::2, :, :], odd)
        part = applied(inverse, value[..., 1::2, :])
        levels.append(_Level(inverse, left, right, part))
        ends = beside.shape[-3] - odd
        left_up, right_up = _turned(left), _turned(right[..., :ends, :, :])
        own, value = own[..., ::2, :, :].copy(), value[..., ::2, :].copy()
        own[..., :odd, :, :] -= left_up @ left
        own[..., 1:, :, :] -= right_up @ right[..., :ends, :, :]
        value[..., :odd, :] -= applied(left_up, part)
        value[..., 1:, :] -= applied(right_up, part[..., :ends, :])
        beside = -left_up[..., :ends, :, :] @ right[..., :ends, :, :]
    inverse, log_dets = _inverse_factor(own)
    nothing = np.zeros_like(inverse)
    levels.append(_Level(inverse, nothing, nothing, applied(inverse, value)))
    return Eliminated(_solution(levels), log_det + log_dets, levels)


def _inverse_factor(blocks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Inverse Cholesky factors, and the sum of the log determinants."""
    scale = np.diagonal(blocks, axis1=-2, axis2=-1)
    if not (scale > 0).all():
        raise np.linalg.LinAlgError("Matrix is not positive definite")
    scale = np.sqrt(scale)
    unit = blocks / scale[..., None] / scale[..., None, :]
    factor = np.linalg.cholesky(unit + _NEAR_ZERO * np.eye(blocks.shape[-1]))
    diagonal = np.diagonal(factor, axis1=-2, axis2=-1)
    log_det = 2.0 * np.sum(np.log(diagonal) + np.log(scale), axis=(-1, -2))
    return np.linalg.inv(factor) / scale[..., None, :], log_det


def _solution(levels: list[_Level]) -> np.ndarray:
    x = applied(_turned(levels[-1].inverse), levels[-1].value)
    for level in reversed(levels[:-1]):
        odd, even = level.inverse.shape[-3], x.shape[-2]
        right = x[..., 1:, :]
        if even - 1 < odd:
            right = np.concatenate([right, np.zeros_like(x[..., :1, :])], axis=-2)
        rest = level.value - applied(level.left, x[..., :odd, :]) - applied(level.right, right)
        full = np.empty((*x.shape[:-2], odd + even, x.shape[-1]))
        full[..., ::2, :], full[..., 1::2, :] = x, applied(_turned(level.inverse), rest)
        x = full
    return x
