"""One thread of linear algebra while a search runs."""

import numpy as np
from threadpoolctl import threadpool_info, threadpool_limits

from mathonet import Discoverer
from mathonet.blas import one_blas_thread
from mathonet.search.objective import EquationProposer


def threads() -> set[int]:
    return {each["num_threads"] for each in threadpool_info() if each["user_api"] == "blas"}


@one_blas_thread
def inside() -> set[int]:
    return threads()


def test_there_is_one_inside_and_the_callers_number_outside():
    with threadpool_limits(2, user_api="blas"):
        assert inside() == {1}
        assert threads() == {2}


def test_searches_have_one():
    class Asking(EquationProposer):
        name = "asking"

        def forms(self, regression, limit=None):
            seen.append(threads())
            return []

    seen: list[set[int]] = []
    x = np.linspace(0.5, 2.0, 30)[:, None]
    with threadpool_limits(2, user_api="blas"):
        Discoverer(["ident"], proposers=["polynomials", Asking()]).fit(x, x_dot=np.exp(x))
    assert seen == [{1}]
