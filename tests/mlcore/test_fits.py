"""Every fit in the CASES of a family meets its claims, which include optimality."""

import numpy as np
import pytest

from tests.helpers.assertions import assert_claims
from tests.helpers.families import CASES, ORACLES
from tests.helpers.optimality_cases import hard_data, random_data, random_weights

every_fit = pytest.mark.parametrize(
    ("case", "bias"),
    [
        pytest.param(case, bias, id=f"{case.function.__name__} {case.options | bias}")
        for case in CASES
        for bias in ([{"bias": True}, {"bias": False}] if case.has_bias else [{}])
    ],
)


@pytest.mark.parametrize("seed", range(4))
@every_fit
def test_fit_converges_and_meets_claims(case, bias, seed):
    """With weights, an example of weight 0 is far away, and does not change the claims."""
    X, y = random_data(case, seed)
    cases, weights = [case.arguments(X, y, **bias)], random_weights(y)
    if case.weighted:
        A = np.where(weights[:, None] > 0, X, 1e16)
        cases.append(case.arguments(A, y, **bias, sample_weight=weights))
    for arguments in cases:
        fit = case.function(**arguments)
        assert np.all(getattr(fit, "converged", True))
        assert_claims(ORACLES[case.function], fit, arguments)


@pytest.mark.parametrize("seed", range(12))
@every_fit
def test_fit_of_hard_data_meets_claims(case, bias, seed):
    X, y = hard_data(case.kind, seed)
    steps = {"max_steps": 300} if "max_steps" in case.options else {}
    arguments = case.arguments(X, y, **bias) | steps
    assert_claims(ORACLES[case.function], case.function(**arguments), arguments)
