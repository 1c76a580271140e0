"""Arrays of Dask: the answers are those in memory, in few passes, never held whole."""

import tracemalloc
from functools import partial

import dask
import dask.array as da
import numpy as np
import pytest
from by_priority import ByPriority

from mlcore.arrays import asked, lazy
from mlcore.generative import lda
from mlcore.least_squares import indicator_regression, least_squares, ridge, ridge_path
from mlcore.linear import LinearRule, sgn
from mlcore.logistic import logistic, softmax_regression
from mlcore.multiclass import linear_machine, one_vs_one, one_vs_rest
from mlcore.selection import backward, exhaustive, forward
from mlcore.validation import k_folds, monte_carlo

PRICES = [100.0, 0.0, 1e-3, 10.0]


class Stacked:
    """Several rules as one, to compare."""

    def __init__(self, rules):
        self.w = np.array([rule.w for rule in rules])
        self.b = np.array([rule.b for rule in rules])


def three(X, y):
    """Three classes for two."""
    return np.where(X[:, 0] > X[0, 0], 2.0, y)


FITS = {
    "least_squares": lambda X, y, splits: least_squares(X, y),
    "least_squares without bias": lambda X, y, splits: least_squares(X, y, bias=False),
    "ridge": lambda X, y, splits: ridge(X, y, lambda_=10.0),
    "ridge without bias": lambda X, y, splits: ridge(X, y, lambda_=10.0, bias=False),
    "ridge path": lambda X, y, splits: Stacked(ridge_path(X, y, lambdas=PRICES)),
    "logistic": lambda X, y, splits: logistic(X, y, tol=1e-26),
    "logistic, penalized": lambda X, y, splits: logistic(X, y, tol=1e-26, lambda_=0.1),
    "logistic without bias": lambda X, y, splits: logistic(X, y, tol=1e-26, bias=False),
    "softmax": lambda X, y, splits: softmax_regression(X, y, tol=1e-26),
    "softmax, penalized": lambda X, y, splits: softmax_regression(
        X, three(X, y), tol=1e-26, lambda_=0.1
    ),
    "indicators": lambda X, y, splits: indicator_regression(X, three(X, y)),
    "lda": lambda X, y, splits: lda(X, y),
    "forward": lambda X, y, splits: forward(X, y, splits=splits),
    "backward": lambda X, y, splits: backward(X, y, splits=splits, count=1),
    "exhaustive": lambda X, y, splits: exhaustive(X, y, splits=splits),
}
RESULTS = ["w", "W", "b", "rank", "converged"]
RESULTS += ["means", "prior", "covariance"]
RESULTS += ["features", "order", "errors", "empty", "all"]
every_fit = pytest.mark.parametrize("fit", FITS.values(), ids=FITS)
FEW = ["least_squares", "logistic", "softmax", "lda", "forward"]
a_few_fits = pytest.mark.parametrize("name", FEW)


@pytest.fixture(autouse=True)
def one_thread():
    with dask.config.set(scheduler="synchronous"):
        yield


def problem(seed, n=2000, d=4):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) * 10.0 ** rng.uniform(-3, 3, size=d)
    X += X.std(axis=0) * rng.normal(size=d)
    scores = (X - X.mean(axis=0)) / X.std(axis=0) @ np.linspace(2, 0, d) + 0.3
    return X, np.where(rng.logistic(size=n) < scores, 1.0, -1.0)


def blocks(array, rows=700):
    return da.from_array(array, chunks=(rows,) + (-1,) * (array.ndim - 1))


def masks(n, folds=4, rows=300):
    fold = da.arange(n, chunks=rows) % folds
    return [(fold != k, fold == k) for k in range(folds)]


def indices(pairs):
    return [tuple(np.flatnonzero(np.asarray(part)) for part in pair) for pair in pairs]


def assert_same(fit, known):
    classes, known_classes = (getattr(one, "classes", np.empty(0)) for one in (fit, known))
    assert classes.tolist() == known_classes.tolist()
    for name in RESULTS:
        if hasattr(known, name):
            found, value = getattr(fit, name), getattr(known, name)
            size = np.max(np.abs(value), initial=0)
            np.testing.assert_allclose(found, value, rtol=1e-10, atol=1e-10 * size)


class Source:
    """Lazy rows that are made from a seed when asked, and counted."""

    def __init__(self, count, rows=1000, d=20):
        self.count, self.rows, self.d, self.made = count, rows, d, []

    def block(self, block_id):
        self.made.append(block_id[0])
        rng = np.random.default_rng(block_id[0])
        X = rng.normal(size=(self.rows, self.d))
        scores = X @ np.linspace(1, -1, self.d)
        return np.column_stack([X, np.where(rng.logistic(size=len(X)) < scores, 1.0, -1.0)])

    def data(self):
        rows = da.map_blocks(
            self.block,
            chunks=((self.rows,) * self.count, (self.d + 1,)),
            dtype=float,
            meta=np.empty((0, 0)),
        )
        splits = masks(self.count * self.rows, rows=self.rows)
        return rows[:, :-1], rows[:, -1], splits

    def passes(self):
        return len(self.made) / self.count


class TestSameAnswer:
    @every_fit
    def test_as_in_memory(self, fit):
        X, y = problem(0)
        splits = k_folds(y, rng=0)
        assert_same(fit(blocks(X), blocks(y), splits), fit(X, y, splits))

    @a_few_fits
    def test_whatever_the_blocks(self, name):
        fit = FITS[name]
        X, y = problem(3, n=100)
        pairs = masks(100)
        known = fit(X, y, indices(pairs))
        for rows, labels in [
            (blocks(X), y),
            (blocks(X, 40), blocks(y, 30)),
            (blocks(X, 3), blocks(y, 100)),  # fewer rows than columns in a block
            (da.from_array(X, chunks=(60, 3)), blocks(y)),
            (blocks(X), y.astype("i1")),
            (X, blocks(y)),
        ]:
            splits = pairs if lazy(rows) else indices(pairs)
            assert_same(fit(rows, labels, splits), known)

    @a_few_fits
    @pytest.mark.parametrize("dtype", ["f4", "i4"])
    def test_other_types_of_numbers(self, name, dtype):
        fit = FITS[name]
        X, y = problem(4, n=500)
        X = (X / X.std(axis=0) * 100).astype(dtype)
        splits = k_folds(y)
        assert_same(fit(blocks(X), blocks(y), splits), fit(X, y, splits))

    @every_fit
    def test_no_more_rows_than_columns(self, fit):
        X, y = problem(5, n=6, d=6)
        X, y = 2 * X, np.resize([1.0, -1.0], 6)
        splits = k_folds(y, folds=2)
        known = fit(X, y, splits)
        assert_same(fit(blocks(X, 4), blocks(y, 3), splits), known)

    @a_few_fits
    def test_copied_and_constant_columns(self, name):
        X, y = problem(6)
        X = X / X.std(axis=0)
        X = np.column_stack([X, X[:, 0], np.full(len(X), 0.1), X[:, 1] - X[:, 2]])
        splits = k_folds(y)
        assert_same(FITS[name](blocks(X), blocks(y), splits), FITS[name](X, y, splits))

    def test_nearly_dependent_columns(self):
        """Their normal equations would lose all digits; R of the blocks does not."""
        x = np.linspace(0, 1, 900)
        X = np.column_stack([x, x + 1e-9 * np.cos(20 * x)])
        y = X @ [1.0, 2.0] + 3
        for fit in least_squares, lambda X, y: ridge(X, y, lambda_=1e-30):
            np.testing.assert_allclose(fit(blocks(X), blocks(y)).w, [1, 2], atol=1e-5)

    @pytest.mark.parametrize("size", [1e-140, 1e140])
    def test_units_beyond_all_measure(self, size):
        X, y = problem(7)
        X = X * np.array([size, 1, 1, 1])
        assert_same(least_squares(blocks(X), blocks(y)), least_squares(X, y))

    @pytest.mark.parametrize("far", [0.0, 2.0**40])
    def test_classes_far_apart_and_constant_in_each(self, far):
        """Where the mean of one class says nothing about the size of the other's."""
        X, y = problem(15, n=3000)
        X = np.round(X / X.std(axis=0) * 1024) / 1024
        X = np.column_stack([X, np.where(y > 0, 0.1, 0.7), X[:, 0] + X[:, 1]])
        X[y > 0, :4] += far
        fit, known = lda(blocks(X), blocks(y)), lda(X, y)
        assert (fit.rank, fit.w[4]) == (known.rank, 0)
        np.testing.assert_allclose(fit.means, known.means, rtol=1e-14, atol=1e-12)
        size = np.max(np.abs(known.covariance))
        np.testing.assert_allclose(fit.covariance, known.covariance, atol=1e-9 * size)

    def test_a_constant_in_each_class_does_not_vary_by_the_rounding_of_its_mean(self):
        y = np.where(np.arange(300) % 3 > 0, 1.0, -1.0)
        for seed in range(12):
            rng = np.random.default_rng(seed)
            X = np.column_stack(
                [rng.normal(size=300), np.where(y > 0, *rng.normal(size=2))]
            )
            fit = lda(blocks(X), blocks(y))
            assert (fit.rank, fit.w[1]) == (1, 0)

    def test_a_feature_that_is_constant_in_one_class(self):
        X, y = problem(17)
        X[y > 0, 1] = 0.1
        fit, known = lda(blocks(X), blocks(y)), lda(X, y)
        assert known.w[1] != 0
        np.testing.assert_allclose(fit.w, known.w, rtol=1e-9)

    def test_lda_refuses_labels(self):
        X, y = problem(16)
        for wrong, message in [
            (np.where(y > 0, 2.0, -1.0), r"y must hold only -1 and \+1; got the label 2"),
            (np.abs(y), r"y must hold both -1 and \+1; got only 1"),
            (-np.abs(y), r"y must hold both -1 and \+1; got only -1"),
        ]:
            for labels in wrong, blocks(wrong, 300):
                with pytest.raises(ValueError, match=message):
                    lda(blocks(X), labels)

    def test_labels_zero_and_one(self):
        X, y = problem(8)
        y[:700] = 1.0  # a block of one label
        known, bits = logistic(X, y, tol=1e-26), (1 + y) / 2
        assert_same(logistic(blocks(X), blocks(bits), tol=1e-26), known)
        assert_same(logistic(blocks(X), bits, tol=1e-26), known)

    def test_labels_of_text_and_weights(self):
        X, y = problem(13)
        names, s = np.where(y > 0, "yes", "no"), np.arange(len(y)) % 4
        known = softmax_regression(X, names, tol=1e-26, sample_weight=s)
        for labels in names, blocks(names, 300):
            fit = softmax_regression(blocks(X), labels, tol=1e-26, sample_weight=s)
            assert_same(fit, known)
            assert fit.classes.dtype == known.classes.dtype

    def test_splits_that_leave_examples_out(self):
        X, y = problem(9)
        splits = monte_carlo(y, repeats=3, test_share=0.3, rng=0)
        splits = [(train[5:], test) for train, test in splits]
        for fit in FITS["forward"], FITS["backward"]:
            assert_same(fit(blocks(X), blocks(y), splits), fit(X, y, splits))


RULES = {
    "softmax": lambda X, y: softmax_regression(X, y, lambda_=1.0),
    "indicators": indicator_regression,
    "one vs rest": lambda X, y: one_vs_rest(least_squares, X, y),
    "one vs rest, one less": lambda X, y: one_vs_rest(least_squares, X, y, form="K-1"),
    "one vs one": lambda X, y: one_vs_one(logistic, X, y),
    "machine": lambda X, y: linear_machine(partial(least_squares, bias=False), X, y),
}


class TestPrediction:
    @pytest.mark.parametrize("fit", RULES.values(), ids=RULES)
    def test_of_several_classes(self, fit):
        X, y = problem(14, n=500)
        names = np.array(["a", "bb", "ccc"])[three(X, y).astype(int)]  # -1 is the last
        rule = fit(X, names)
        methods = "decision_function", "scores", "votes", "probability", "predict"
        for name in filter(partial(hasattr, rule), methods):
            found, known = getattr(rule, name)(blocks(X, 90)), getattr(rule, name)(X)
            assert lazy(found)
            assert (found.shape, found.dtype) == (known.shape, known.dtype)
            found = np.asarray(found)
            if name == "predict":
                assert found.tolist() == known.tolist()
            else:
                np.testing.assert_allclose(found, known, rtol=1e-12, atol=1e-12)

    def test_it_is_lazy_and_the_same(self):
        X, y = problem(10)
        for fit in logistic(X, y), lda(X, y):
            for method in fit.decision_function, fit.predict, fit.probability:
                found = method(blocks(X))
                assert lazy(found)
                assert found.shape == (len(X),)
                np.testing.assert_allclose(np.asarray(found), method(X), rtol=1e-13)

    def test_nothing_is_computed_until_asked(self):
        source = Source(4)
        X, y, _ = source.data()
        right = (LinearRule(np.linspace(1, -1, 20), 0.0).predict(X) == y).mean()
        assert source.made == []
        assert 0.5 < float(right) < 1
        assert sorted(source.made) == [0, 1, 2, 3]

    def test_a_point_on_the_hyperplane(self):
        assert np.asarray(sgn(da.from_array(np.array([-1.0, 0.0])))).tolist() == [-1, 1]


class TestPasses:
    """A look at the first block, for a row to measure from, is no pass."""

    @pytest.mark.parametrize(
        ("name", "most"),
        [
            ("least_squares", 2),
            ("least_squares without bias", 2),
            ("ridge", 2),
            ("ridge path", 2),
            ("lda", 2),
            ("forward", 2),
            ("backward", 2),
        ],
    )
    def test_how_often_the_rows_are_read(self, name, most):
        source = Source(20)
        FITS[name](*source.data())
        assert source.passes() <= most + 0.05

    def test_nearly_dependent_columns_are_read_once_more(self):
        source = Source(20)
        X, y, _ = source.data()
        X = da.concatenate([X, X[:, :1] * (1 + 1e-9 * X[:, 1:2])], axis=1)
        ridge_path(X.rechunk({1: 21}), y, lambdas=[1e-25, 1e-20, 1.0])
        assert source.passes() <= 3.05

    def test_logistic_reads_once_a_step(self):
        """The labels once, for their coding, and all once more after the steps."""
        source = Source(5)
        fit = logistic(*source.data()[:2])
        assert fit.converged
        assert source.passes() <= len(fit.values) + 2

    def test_softmax_reads_once_a_step(self):
        """As logistic, and once to see that the columns are independent."""
        source = Source(5)
        fit = softmax_regression(*source.data()[:2])
        assert fit.converged
        assert source.passes() <= len(fit.values) + 3

    def test_more_sums_are_asked_in_one_pass(self):
        source = Source(5)
        X, y, _ = source.data()
        products, ends = asked(X.T @ X, np.stack([y.min(), y.max()]))
        assert (products.shape, ends.tolist()) == ((20, 20), [-1, 1])
        assert source.passes() == 1


class TestMemory:
    @pytest.mark.parametrize(
        "name",
        [
            "least_squares",
            pytest.param("logistic", marks=pytest.mark.slow),
            pytest.param("softmax", marks=pytest.mark.slow),
            pytest.param("lda", marks=pytest.mark.slow),
            pytest.param("forward", marks=pytest.mark.slow),
        ],
    )
    def test_it_does_not_grow_with_the_rows(self, name):
        def peak(count):
            data = Source(count, rows=20_000).data()
            tracemalloc.start()
            FITS[name](*data)
            found = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
            return found

        peak(1)  # what is loaded and kept at the first call
        few, many = peak(2), peak(16)
        assert many < 16 * 20_000 * 21 * 8 / 3  # bytes of the data
        assert many < 1.5 * few  # the plan of the blocks grows, and nothing else

    @pytest.mark.parametrize(
        "name",
        [
            "least_squares",
            pytest.param("logistic", marks=pytest.mark.slow),
            pytest.param("softmax", marks=pytest.mark.slow),
            "lda",
            "forward",
            "indicators",
        ],
    )
    def test_a_cluster_holds_few_blocks(self, name):
        source = Source(26)
        scheduler = ByPriority()
        with dask.config.set(scheduler=scheduler):
            FITS[name](*source.data())
        assert scheduler.most <= 6 * source.rows * (source.d + 1) * 8

    def test_no_rows_are_gathered_across_blocks(self):
        """Folds in a random order: still each block is read alone, and twice in all."""
        source = Source(20)
        X, y, _ = source.data()
        forward(X, y, splits=k_folds(np.ones(len(X)), rng=0))
        assert source.passes() <= 2.05


def spoiled(value, place=1500):
    X, _ = problem(11)
    X[place, 2] = value
    return blocks(X)


GOOD, LABELS = (blocks(part) for part in problem(11))
HALVES = masks(2000, folds=2)
CALLS = {
    "least_squares": least_squares,
    "ridge": lambda X, y: ridge(X, y, lambda_=1.0),
    "ridge_path": lambda X, y: ridge_path(X, y, lambdas=PRICES),
    "logistic": logistic,
    "lda": lda,
    "forward": lambda X, y: forward(X, y, splits=HALVES),
    "backward": lambda X, y: backward(X, y, splits=HALVES),
    "predict": lambda X, y: np.asarray(LinearRule(np.ones(4), 0.0).predict(X)),
}
every_call = pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)


class TestRefusals:
    @every_call
    @pytest.mark.parametrize(
        ("X", "message"),
        [
            (spoiled(np.nan), "X must be finite, .*; got nan"),
            (spoiled(-np.inf), "X must be finite, .*; got -inf"),
            (spoiled(2e150), r"X must be finite, .*; got 2e\+150"),
            (GOOD[:, 0], r"X must be a matrix .* got shape \(2000,\)"),
            (GOOD[:0], r"X must be a matrix .* got shape \(0, 4\)"),
            (GOOD[GOOD[:, 0] > 0], r"X must have blocks of known size.*\(nan, 4\)"),
            (GOOD.astype(complex), "X must be an array of real numbers; got .* complex128"),
            (GOOD.astype(str), "X must be an array of real numbers; got dtype <U"),
        ],
    )
    def test_of_examples(self, call, X, message):
        with pytest.raises(ValueError, match=message):
            call(X, LABELS)

    @pytest.mark.parametrize("name", [name for name in CALLS if name != "predict"])
    @pytest.mark.parametrize(
        ("y", "message"),
        [
            (np.where(LABELS > 0, np.nan, LABELS), "y must be finite, .*; got nan"),
            (LABELS[:5], "y must have 2000 entries; got 5"),
            (np.ones(5), "y must have 2000 entries; got 5"),
            (GOOD, r"y must be a vector .* got shape \(2000, 4\)"),
        ],
    )
    def test_of_labels(self, name, y, message):
        with pytest.raises(ValueError, match=message):
            CALLS[name](GOOD, y)

    @pytest.mark.parametrize(
        ("first", "others", "message"),
        [
            (0, -1, r"y must hold only -1 and \+1, or only 0 and 1; got 0 and -1"),
            (0, 2, r"y must hold only -1 and \+1, or only 0 and 1; got 0 and 2"),
            (-1, 0.5, r"y must hold only -1 and \+1; got the label 0.5"),
            (1, -2, r"y must hold only -1 and \+1; got the label -2"),
        ],
    )
    def test_of_codings_that_differ_from_block_to_block(self, first, others, message):
        y = blocks(np.repeat([float(first), 1.0, float(others)], [700, 700, 600]))
        with pytest.raises(ValueError, match=message):
            logistic(GOOD, y)

    @pytest.mark.parametrize(
        ("labels", "message"),
        [
            (np.where(LABELS > 0, np.nan, LABELS), "labels must be finite, .*; got nan"),
            (LABELS[:5], "labels must have 2000 entries; got 5"),
            (LABELS[:5].astype("U2"), "labels must have 2000 labels; got 5"),
            (
                LABELS.astype(object),
                r"labels must be .* where they are lazy; got dtype obj",
            ),
            (GOOD.astype("U2"), r"labels must be a vector .* got shape \(2000, 4\)"),
            (np.ones_like(LABELS), r"labels must hold two classes or more; got \[1.\]"),
        ],
    )
    def test_of_labels_of_any_kind(self, labels, message):
        with pytest.raises(ValueError, match=message):
            softmax_regression(GOOD, labels)

    @pytest.mark.parametrize(
        ("splits", "message"),
        [
            (3, "splits must be pairs"),
            (HALVES[:1], "splits must be at least 2; got 1"),
            (k_folds(np.ones(2000))[:1], "splits must be at least 2; got 1"),
            ([(LABELS, LABELS)] * 2, "splits must hold lazy masks with 2000 entries"),
            (masks(1999), "splits must hold lazy masks with 2000 entries"),
            ([2 * HALVES[0][:1]] * 2, "none twice; got 1000 to .* 1000 of them in both"),
            ([HALVES[0], (LABELS > 2, LABELS < 2)], "splits must train and test on some"),
            ([([0, 0, 1], [2])] * 2, "splits must hold each index once where X is lazy"),
            ([([0, 1], [2000])] * 2, "splits must hold vectors of indices from 0 to 1999"),
        ],
    )
    def test_of_splits(self, splits, message):
        with pytest.raises(ValueError, match=message):
            forward(GOOD, LABELS, splits=splits)


def test_arrays_that_are_not_lazy():
    assert not any(map(lazy, [np.ones(3), [1.0], 2.0, None]))
    part = np.ones(3)
    assert asked(part)[0] is part


@pytest.mark.slow
def test_on_a_cluster_of_two_workers():
    """The same answers as in memory, and the nan of a block refused by name."""
    from distributed import Client, LocalCluster

    X, y = problem(12, n=20_000)
    rows, labels, pairs = blocks(X, 4000), blocks(y, 4000), masks(len(X), rows=4000)
    with (
        LocalCluster(
            n_workers=2,
            threads_per_worker=1,
            memory_limit="400MB",
            dashboard_address=":0",
        ) as cluster,
        Client(cluster) as client,
        dask.config.set(scheduler=None),  # that is, the cluster
    ):
        assert len(client.scheduler_info()["workers"]) == 2
        for name in "ridge path", "logistic", "softmax, penalized", "lda", "forward":
            fit = FITS[name]
            assert_same(fit(rows, labels, pairs), fit(X, y, indices(pairs)))
        rule = logistic(X, y)
        assert (np.asarray(rule.predict(rows)) == rule.predict(X)).all()
        with pytest.raises(ValueError, match=r"X must be finite, .*; got nan"):
            least_squares(spoiled(np.nan), LABELS)
