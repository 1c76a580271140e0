"""Where the time goes: each line of code counts as the work that it names."""

import pytest

from benchmarks import where
from benchmarks.__main__ import main

SOURCE = """
def f(A, b, w):
    \"\"\"Not @, and no sort.\"\"\"
    if w is None:
        w = A.T @ b
    L = np.linalg.cholesky(
        A.T @ A
    )
    order = np.argsort(b)
    return w + 1, order
"""


def test_lines_by_what_they_name(tmp_path):
    file = tmp_path / "some.py"
    file.write_text(SOURCE, encoding="utf-8")
    kinds = [where.kind_of(str(file), line) for line in range(4, 11)]
    factor = ["factorizations"] * 3
    assert kinds == ["rest", "products", *factor, "sorts and scans", "rest"]
    assert where.kind_of(str(file.with_name("checks.py")), 5) == "checks"


def test_every_line_that_runs_is_counted():
    _, times = where.traced(where.empty_loop)
    first = where.empty_loop.__code__.co_firstlineno
    assert times[where.__file__, first + 2] == 10_000


def test_shares_are_of_the_whole():
    X, y = where.problems.measured(200, 5)
    shares = where.shares(lambda: where.least_squares(X, y))
    assert list(shares) == where.KINDS
    assert abs(sum(shares.values()) - 100) < 1e-9
    assert shares["products"] > 0
    assert shares["checks"] > 0


@pytest.mark.slow
def test_words_that_no_benchmark_has_are_named():
    with pytest.raises(SystemExit, match="one of the words: nosuch"):
        main(["nosuch"])
