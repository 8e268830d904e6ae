"""Groups: a whole PolyNet or a whole OperNet."""

import numpy as np

from mathonet.network.group import SINGLE, groups, membership
from mathonet.network.mathonet import flatten


def numbers_of(architecture, kind: str) -> list[np.ndarray]:
    return [np.asarray(getattr(layer, kind)) for layer in groups(architecture).layers]


def test_a_group_is_a_whole_polynet_or_a_whole_opernet(architecture):
    flat = np.asarray(flatten(groups(architecture)))
    nets = [net for poly in numbers_of(architecture, "poly") for neuron in poly for net in neuron]
    nets += [net for oper in numbers_of(architecture, "oper") for net in oper]
    for net in nets:
        assert len(set(net)) == 1
        assert np.sum(flat == net[0]) == len(net)
    assert sorted(net[0] for net in nets) == list(range(len(nets)))


def test_groups_have_more_than_one_weight(architecture):
    assert (membership(architecture).sum(1) > 1).all()


def test_biases_and_outputs_belong_to_no_group(architecture):
    for bias in numbers_of(architecture, "bias"):
        assert (bias == SINGLE).all()
    assert (np.asarray(groups(architecture).output) == SINGLE).all()


def test_membership_puts_each_poly_and_oper_weight_in_exactly_one_group(architecture):
    member = membership(architecture)
    flat = np.asarray(flatten(groups(architecture)))
    np.testing.assert_array_equal(member.sum(0), (flat != SINGLE).astype(float))
    for weight in np.flatnonzero(flat != SINGLE):
        assert member[flat[weight], weight] == 1.0
