"""Noise is as small as said, and in no number whose sums are exact."""

import numpy as np
from noise import perturbed


def test_noise_moves_about_half_of_the_numbers_by_one_ulp_and_no_whole_one():
    x = np.random.default_rng(0).normal(size=1000)
    noisy = perturbed(x, 0)
    assert np.all(np.abs(noisy - x) <= np.spacing(np.abs(x)))
    assert 400 < np.sum(noisy != x) < 600
    assert np.array_equal(perturbed(-4 * x, 0), -4 * noisy)
    assert np.any(noisy != perturbed(x, 1))
    whole = np.array([-3.0, 0.0, 0.25, 1e12 + 1])
    assert perturbed(whole, 0) is whole
