"""Noise is as small as said, and in no number whose sums are exact."""

import numpy as np
import pytest
from noise import perturbed


@pytest.mark.parametrize("seed", range(3))
def test_noise_moves_about_half_of_the_numbers_and_each_by_one_ulp(seed):
    x = np.random.default_rng(seed).normal(size=1000)
    noisy = perturbed(x, seed)
    assert np.all(np.abs(noisy - x) <= np.spacing(np.abs(x)))
    assert 400 < np.sum(noisy != x) < 600
    assert np.array_equal(perturbed(-4 * x, seed), -4 * noisy)
    assert np.any(noisy != perturbed(x, seed + 1))


def test_whole_numbers_have_no_noise():
    x = np.array([-3.0, 0.0, 0.25, 1e12 + 1])
    assert perturbed(x, 0) is x
