"""Other processors: a faulty kernel is found, and a command is run with each kernel."""

import subprocess
import sys

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


def run(kernel, *command):
    called = [sys.executable, kernels.__file__, kernel, *command]
    return subprocess.run(called, capture_output=True, text=True)


def test_noise_is_run_with_ten_seeds_and_a_failure_is_told():
    done = run("noise", "sh", "-c", "exit $((MLCORE_NOISE == 3))")
    assert [line.split()[0] for line in done.stdout.splitlines()[10:]] == (
        ["passed"] * 3 + ["failed"] + ["passed"] * 6
    )
    assert done.returncode == 1


def test_an_unknown_kernel_is_refused_in_a_sentence():
    done = run("Pentium", "true")
    assert done.returncode == 1
    assert done.stderr.startswith("KERNEL must be all, today, noise or one of ")
