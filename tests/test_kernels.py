"""Other processors: a faulty kernel is found."""

import kernels
import numpy as np


def test_the_kernel_here_computes_rightly():
    assert kernels.wrong() == ""


def test_a_product_that_loses_a_column_of_wide_data_is_named():
    def faulty(A, B):
        return A @ (B * (np.arange(B.shape[1]) < 128))

    said = "a product of 1 x 1 by 1 x 130 whole numbers comes out wrong"
    assert kernels.wrong(multiply=faulty) == said


def test_a_solution_that_is_an_ulp_off_is_named():
    def faulty(A, b):
        return np.linalg.solve(A, b) * (1 + 2.0**-52)

    said = "the solution of 130 equations in whole numbers comes out wrong"
    assert kernels.wrong(solvers=[faulty]) == said
