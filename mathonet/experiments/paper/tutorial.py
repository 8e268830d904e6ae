"""The paper's tutorial expression, k4 sin(k1 y + k2 y^2) + k5 cos(k3 x^3), with all five constants."""

from dataclasses import replace

from mathonet import discover
from mathonet.experiments.bench.core import TUTORIAL, clean_samples, forms
from mathonet.experiments.paper.figures import search_figures
from mathonet.experiments.paper.results import Part, Say, recovered

NAMES = ("k5", "k3", "k4", "k1", "k2")
"""The constants in the order of the normal form: cosine before sine, outer before inner."""

NOTES = (
    f"{TUTORIAL} from 300 clean samples of the square from -2 to 2, by a network of two layers of two "
    "neurons with ident, sin and cos. The paper decomposes the expression and learns nothing, so it has no "
    "figures for it. Constants succeed if they agree to ten digits and no other term stands.",
)


def tutorial(seeds: int, say: Say) -> Part:
    """The expression from clean samples, an architecture of two layers given by hand."""
    (_, form, options, inputs) = next(each for each in forms() if each[0] == TUTORIAL)
    samples, truth = clean_samples(form, inputs)
    found = []
    for seed in range(seeds):
        found.append(discover(samples, seed=seed, **options))
        equation = found[-1].system.equations[0]
        say(f"tutorial, seed {seed + 1} of {seeds}: {found[-1].seconds:.1f} s, {equation.text()}")
    results = recovered(found, 0, truth, None, "")
    named = [replace(result, name=name) for name, result in zip(NAMES, results, strict=True)]
    figures = search_figures(found[0], "f")
    return Part(sorted(named, key=lambda result: result.name), figures=figures, notes=NOTES)
