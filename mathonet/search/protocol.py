"""Protocols: whole sets of settings by name, the paper's beside our default."""

from typing import Any, Literal, get_args

from mathonet.errors import ConfigError
from mathonet.learning.settings import Learning
from mathonet.search.config import Settings, is_whole

Protocol = Literal["default", "paper"]

PROTOCOLS: dict[str, dict[str, Any]] = {
    "default": {},
    "paper": {
        "operations": ("ident", "sin", "cos", "log", "exp"),
        "hidden": (3,),
        "lambdas": (1e-2, 1e-4, 1e-6, 1e-8, 1e-10),
        "restarts": 10,
        "selection": "validation",
        "map_step": "adam",
    },
}
"""What each protocol sets; all else is as in `Settings`.

The paper's appendix: one hidden layer of three neurons with five operations (Lorenz), lambda = lambda_g from
five powers of ten, ten repeats of each, a tenth of lambda after every 200 (Lorenz) or 800 epochs
(Lotka-Volterra, Fisher-KPP) of Adam, and the model with the best validation error "in line with Occam's
razor". It does not say how many epochs a cycle has, so lambda falls from cycle to cycle here; nor its
learning rate, its numbers of cycles and its thresholds kappa, which are the defaults of `Learning`,
`Settings` and `schedule`. Its Fisher-KPP has other lambdas: 1e-8 to 1e-16.
"""

OPEN = ("operations", "hidden", "lambdas", "restarts", "cycles", "selection")
"""Settings that may be left to the protocol."""

MOST_EPOCHS = 1_000_000
EPOCHS = 800
"""Epochs of Adam in a cycle unless a number is given. Newton has its own, far smaller, numbers of steps."""


def protocol_settings(
    protocol: str, map_step: str | None = None, epochs: int | None = None, **given: Any
) -> Settings:
    """The settings of a protocol; whatever is given goes before the protocol's own.

    Args:
        protocol: "default" or "paper".
        map_step: "newton" or "adam".
        epochs: of Adam in each cycle, or steps of Newton; None for 800, or Newton's own 40 and 20.
        **given: fields of `Settings`; None leaves those of `OPEN` to the protocol.
    """
    if protocol not in get_args(Protocol):
        raise ConfigError(f"protocol={protocol!r} does not exist; choose one of {list(get_args(Protocol))}.")
    told = {name: value for name, value in given.items() if value is not None or name not in OPEN}
    options = {**PROTOCOLS[protocol], **told}
    own = options.pop("map_step", "newton")
    learning = Learning(map_step=own if map_step is None else map_step)  # pyright: ignore[reportArgumentType]
    if epochs is None and learning.map_step == "adam":
        epochs = EPOCHS
    if epochs is None:
        return Settings(**options, learning=learning)
    if not is_whole(epochs) or not 1 <= epochs <= MOST_EPOCHS:
        raise ConfigError(f"epochs must be a whole number from 1 to {MOST_EPOCHS}, got {epochs!r}.")
    return Settings(**options, learning=learning, numbers={"first": int(epochs), "later": int(epochs)})
