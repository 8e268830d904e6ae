"""Offset: inputs that stay far from zero, where the terms of an equation nearly cancel."""

import warnings

from mathonet.data.samples import Samples

FAR = 100.0


def far_from_zero(samples: Samples) -> dict[str, tuple[float, float]]:
    """Mean and deviation of the inputs that vary by less than a hundredth of their mean, by name.

    Scaling divides and does not shift, so such an input looks like the constant 1, its products look like
    itself, and an equation in it has large terms that nearly cancel.
    """
    means, deviations = samples.inputs.mean(axis=0), samples.inputs.std(axis=0)
    return {
        name: (float(mean), float(deviation))
        for name, mean, deviation in zip(samples.input_names, means, deviations, strict=True)
        if 0.0 < FAR * deviation < abs(mean)
    }


def warn_far_from_zero(samples: Samples) -> None:
    """Say which inputs stay far from zero, and what to do."""
    found = far_from_zero(samples)
    if found:
        listed = ", ".join(f"{name} = {mean:.4g} +- {std:.2g}" for name, (mean, std) in found.items())
        name, (mean, _) = next(iter(found.items()))
        shifted = f"{name} {'-' if mean > 0 else '+'} {abs(mean):.3g}"
        warnings.warn(
            f"Inputs stay far from zero ({listed}): large terms of an equation nearly cancel there, and some "
            f"may be missing or spurious. Subtract a reference value first, such as {shifted}.",
            stacklevel=4,
        )
