"""Experiments of the chapter on sparsity: classify two leukemias by genes.

The measurements are not part of the book.  With them, `Study` computes each experiment;
without them, it reads stored results from leukemia_study.json.  To compute the stored
results again: `python -m halfspaces.leukemia_study FOLDER`.
"""

import json
import sys
from pathlib import Path

import numpy as np

from mlcore.data import load_leukemia
from mlcore.features import standardize
from mlcore.l1_svm import l1_svm
from mlcore.selection import recursive_elimination, univariate
from mlcore.svm import soft_margin
from mlcore.validation import k_folds

STORED = Path(__file__).with_suffix(".json")
SIZES = (1, 2, 4, 8, 16, 22, 31, 64, 128, 512, 2048, 7129)  # numbers of genes
C_VALUES = (0.07, 0.1, 0.15, 1.0)  # of the L1-SVM
SHUFFLES = 5
RESPLITS = 20


def log_intensity(X):
    """Return log10 of X, clipped to the scanner's range (below 100 is noise)."""
    return np.log10(np.clip(X, 100, 16_000))


def fit_svm(Z, y):
    """Fit the support vector machine used for elimination and after each ranking."""
    return soft_margin(Z, y, lambda_=0.01)


def rank_by_score(Z, y):
    """Rank the genes by their signal-to-noise ratio, the best first."""
    return univariate(Z, y, score="signal_to_noise").order


def rank_by_elimination(Z, y):
    """Rank the genes by recursive elimination of half at a time, the best first."""
    run = recursive_elimination(Z, y, fit=fit_svm, n_features=1, fraction=0.5)
    return np.array([*run.features, *reversed(run.removed)])


def evaluate_ranking(rank, X, y, X_new, y_new, sizes=SIZES):
    """Return whether each new patient is misclassified at each size, (sizes, patients)."""
    Z, Z_new = standardize(X), standardize(X_new, like=X)
    order, wrong = rank(Z, y), []
    for size in sizes:
        S = order[:size]
        wrong.append(fit_svm(Z[:, S], y).predict(Z_new[:, S]) != y_new)
    return np.array(wrong)


def evaluate_l1_svm(X, y, X_new, y_new):
    """Return whether each new patient is misclassified for each C, and the fits."""
    Z, Z_new = standardize(X), standardize(X_new, like=X)
    fits = [l1_svm(Z, y, C=C) for C in C_VALUES]
    return np.array([fit.predict(Z_new) != y_new for fit in fits]), fits


def ranking_mistakes(train, test, *, rank):
    """Count mistakes for each size, in leave-one-out and on the test patients."""
    X, X_new = log_intensity(train.X), log_intensity(test.X)
    folds = k_folds(train.y, folds=len(X), stratified=False)
    out = [evaluate_ranking(rank, *parts) for parts in _parts(X, train.y, folds)]
    wrong = evaluate_ranking(rank, X, train.y, X_new, test.y)
    missed = [np.flatnonzero(row).tolist() for row in wrong]
    return {"cv": np.hstack(out).sum(axis=1).tolist(), "missed": missed}


def l1_svm_mistakes(train, test):
    """Count mistakes and genes of the L1-SVM for each C."""
    X, X_new = log_intensity(train.X), log_intensity(test.X)
    folds = k_folds(train.y, folds=len(X), stratified=False)
    runs = [evaluate_l1_svm(*parts) for parts in _parts(X, train.y, folds)]
    used = [{*np.flatnonzero(fits[-1].w)} for _, fits in runs]
    wrong, fits = evaluate_l1_svm(X, train.y, X_new, test.y)
    Z = standardize(X)
    hinge = [np.maximum(0, 1 - train.y * f.decision_function(Z)).sum() for f in fits]
    return {
        "cv": np.hstack([out for out, _ in runs]).sum(axis=1).tolist(),
        "missed": [np.flatnonzero(row).tolist() for row in wrong],
        "genes": [len(np.flatnonzero(fit.w)) for fit in fits],
        "loss": [abs(round(float(loss), 2)) for loss in hinge],
        "in some fold": len(set.union(*used)),
        "in every fold": len(set.intersection(*used)),
    }


def shared_genes(train, test):
    """Name the genes that all three methods keep, and count the genes that two share."""
    Z = standardize(log_intensity(train.X))
    selected = [rank_by_score(Z, train.y)[:22], rank_by_elimination(Z, train.y)[:31]]
    selected.append(np.flatnonzero(l1_svm(Z, train.y, C=1.0).w))
    a, b, c = (set(S.tolist()) for S in selected)
    names = sorted(train.features[j] for j in a & b & c)
    return {"all three": names, "pairs": [len(a & b), len(a & c), len(b & c)]}


def peeking_mistakes(train, test):
    """Count mistakes on shuffled labels, with 22 genes ranked outside or inside folds."""
    X, rng = log_intensity(train.X), np.random.default_rng(0)
    folds = k_folds(train.y, folds=len(X), stratified=False)
    outside, inside = [], []
    for _ in range(SHUFFLES):
        y = rng.permutation(train.y)
        selected = X[:, rank_by_score(standardize(X), y)[:22]]
        no_ranking = lambda Z, _: np.arange(Z.shape[1])  # noqa: E731
        for rank, A, wrong in ((no_ranking, selected, outside), (rank_by_score, X, inside)):
            out = [evaluate_ranking(rank, *parts, (22,)) for parts in _parts(A, y, folds)]
            wrong.append(int(np.sum(out)))
    return {"outside": outside, "inside": inside}


def resplit_mistakes(train, test):
    """Count test mistakes for random splits of the 72 patients with the original sizes."""
    X, y = log_intensity(np.vstack([train.X, test.X])), np.append(train.y, test.y)
    rng, sizes = np.random.default_rng(0), {1: 11, -1: 27}
    mistakes = {"ranking": [], "elimination": [], "one-norm": []}
    for _ in range(RESPLITS):
        shuffled = {s: rng.permutation(np.flatnonzero(y == s)) for s in sizes}
        split = [np.concatenate([shuffled[s][:m] for s, m in sizes.items()])]
        split += [np.concatenate([shuffled[s][m:] for s, m in sizes.items()])]
        (parts,) = _parts(X, y, [split])
        results = [evaluate_ranking(rank_by_score, *parts, (22,))[0]]
        results += [evaluate_ranking(rank_by_elimination, *parts, (31,))[0]]
        results += [evaluate_l1_svm(*parts)[0][-1]]
        for name, wrong in zip(mistakes, results, strict=True):
            mistakes[name].append(int(wrong.sum()))
    return mistakes


EXPERIMENTS = {
    "score": lambda *parts: ranking_mistakes(*parts, rank=rank_by_score),
    "elimination": lambda *parts: ranking_mistakes(*parts, rank=rank_by_elimination),
    "one-norm": l1_svm_mistakes,
    "overlap": shared_genes,
    "peeking": peeking_mistakes,
    "resplit": resplit_mistakes,
}


class Study:
    """Results by name: study(name) computes an experiment if it has the data."""

    def __init__(self, folder):
        try:
            self.patients = load_leukemia(folder)
        except FileNotFoundError:
            self.patients = None

    def __call__(self, name: str) -> dict:
        if self.patients:
            return EXPERIMENTS[name](*self.patients)
        return json.loads(STORED.read_text())[name]


def _parts(X, y, splits):
    """Yield training data and labels, test data and labels, of each split."""
    for train, test in splits:
        yield X[train], y[train], X[test], y[test]


if __name__ == "__main__":
    study = Study(sys.argv[1])
    if study.patients is None:
        sys.exit(f"{sys.argv[1]} does not contain the leukemia data files")
    results = {name: study(name) for name in EXPERIMENTS}
    lines = [f"{json.dumps(name)}: {json.dumps(value)}" for name, value in results.items()]
    STORED.write_text("{\n" + ",\n".join(lines) + "\n}\n")
