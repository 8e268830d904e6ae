import numpy as np

from mathonet import Discoverer
from mathonet.search import ledger

OPTIONS = {"operations": ["ident"], "hidden": [1], "restarts": 2, "cycles": 3}


def kept(scale=1.0):
    x = np.linspace(-1.0, 2.0, 40)
    with ledger.recorded() as found:
        Discoverer(**OPTIONS).fit(x, x_dot=scale * x - x**2)
    return found


def test_the_same_search_leaves_the_same_ledger():
    first, again = kept(), kept()
    assert first.entries
    assert first.digest == again.digest
    assert first.digest != kept(scale=0.0).digest


def test_stages_tell_the_best_score_of_each():
    found = kept()
    (stage,) = found.stages().values()
    assert stage["fits"] == len(found.entries)
    assert stage["best"] == min(each.score for each in found.entries)


def test_nothing_is_kept_unasked():
    found = kept()
    count = len(found.entries)
    ledger.enter("later", 0, (), 1.0, 1.0)
    assert len(found.entries) == count
