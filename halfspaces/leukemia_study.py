"""Two leukemias told apart by genes: the experiments of the chapter on sparsity.

The measurements are not part of the book.  Where they are, `Study` computes each
experiment; elsewhere it reads the numbers that were computed from them, out of
leukemia_study.json beside this file, which `python -m halfspaces.leukemia_study FOLDER`
writes anew.
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
SIZES = (1, 2, 4, 8, 16, 22, 31, 64, 128, 512, 2048, 7129)  # genes kept
PRICES = (0.07, 0.1, 0.15, 1.0)  # C of the 1-norm machine
SHUFFLES = 5
RESPLITS = 20


def decades(X):
    """Powers of ten: below 100 the scanner saw noise, above 16000 it was blind."""
    return np.log10(np.clip(X, 100, 16_000))


def machine(Z, y):
    """The support vector machine that every ranking ends with."""
    return soft_margin(Z, y, lambda_=0.01)


def by_score(Z, y):
    """The genes in the order of their own signal-to-noise, the best first."""
    return univariate(Z, y, score="signal_to_noise").order


def by_elimination(Z, y):
    """The genes in the reverse order of their removal, half of them at a time."""
    run = recursive_elimination(Z, y, fit=machine, count=1, share=0.5)
    return np.array([*run.features, *reversed(run.removed)])


def ranked_misses(rank, X, y, X_new, y_new, sizes=SIZES):
    """Whether each new patient is misjudged: (sizes, patients)."""
    Z, Z_new = standardize(X), standardize(X_new, like=X)
    order, misses = rank(Z, y), []
    for size in sizes:
        S = order[:size]
        rule = machine(Z[:, S], y)
        misses.append(rule.predict(Z_new[:, S]) != y_new)
    return np.array(misses)


def one_norm_misses(X, y, X_new, y_new):
    """The same for the prices C; and the machines."""
    Z, Z_new = standardize(X), standardize(X_new, like=X)
    fits = [l1_svm(Z, y, C=C) for C in PRICES]
    return np.array([fit.predict(Z_new) != y_new for fit in fits]), fits


def ranked(train, test, *, rank):
    """Mistakes in leave-one-out and on the test patients, for each size."""
    X, X_new = decades(train.X), decades(test.X)
    folds = k_folds(train.y, folds=len(X), stratified=False)
    out = [ranked_misses(rank, X[a], train.y[a], X[q], train.y[q]) for a, q in folds]
    missed = ranked_misses(rank, X, train.y, X_new, test.y)
    return {"cv": np.hstack(out).sum(axis=1).tolist(), "missed": _where(missed)}


def one_norm(train, test):
    """The same for each price, with the numbers of genes."""
    X, X_new = decades(train.X), decades(test.X)
    folds = k_folds(train.y, folds=len(X), stratified=False)
    runs = [one_norm_misses(X[a], train.y[a], X[q], train.y[q]) for a, q in folds]
    used = [{*np.flatnonzero(learned[-1].w)} for _, learned in runs]
    missed, fits = one_norm_misses(X, train.y, X_new, test.y)
    Z = standardize(X)
    hinge = [np.maximum(0, 1 - train.y * f.decision_function(Z)).sum() for f in fits]
    return {
        "cv": np.hstack([out for out, _ in runs]).sum(axis=1).tolist(),
        "missed": _where(missed),
        "genes": [len(np.flatnonzero(fit.w)) for fit in fits],
        "loss": [abs(round(float(loss), 2)) for loss in hinge],
        "in some fold": len(set.union(*used)),
        "in every fold": len(set.intersection(*used)),
    }


def overlap(train, test):
    """The names of the genes that all three methods keep, and how many two share."""
    Z = standardize(decades(train.X))
    kept = [by_score(Z, train.y)[:22], by_elimination(Z, train.y)[:31]]
    kept.append(np.flatnonzero(l1_svm(Z, train.y, C=1.0).w))
    a, b, c = (set(S.tolist()) for S in kept)
    names = sorted(train.features[j] for j in a & b & c)
    return {"all three": names, "pairs": [len(a & b), len(a & c), len(b & c)]}


def peeking(train, test):
    """Labels shuffled: mistakes when 22 genes are ranked on all patients, or inside."""
    X, rng = decades(train.X), np.random.default_rng(0)
    folds = k_folds(train.y, folds=len(X), stratified=False)
    outside, inside = [], []
    for _ in range(SHUFFLES):
        y = rng.permutation(train.y)
        seen = X[:, by_score(standardize(X), y)[:22]]
        all_of_it = lambda Z, _: np.arange(Z.shape[1])  # noqa: E731, no more ranking
        for how, A, wrong in ((all_of_it, seen, outside), (by_score, X, inside)):
            out = [ranked_misses(how, A[a], y[a], A[q], y[q], (22,)) for a, q in folds]
            wrong.append(int(np.sum(out)))
    return {"outside": outside, "inside": inside}


def resplit(train, test):
    """Test mistakes for other divisions of the 72 patients, as many of each kind."""
    X, y = decades(np.vstack([train.X, test.X])), np.append(train.y, test.y)
    rng, learned = np.random.default_rng(0), {1: 11, -1: 27}
    found = {"ranking": [], "elimination": [], "one-norm": []}
    for _ in range(RESPLITS):
        dealt = {s: rng.permutation(np.flatnonzero(y == s)) for s in learned}
        a = np.concatenate([dealt[s][:m] for s, m in learned.items()])
        q = np.concatenate([dealt[s][m:] for s, m in learned.items()])
        parts = X[a], y[a], X[q], y[q]
        missed = [ranked_misses(by_score, *parts, (22,))[0]]
        missed += [ranked_misses(by_elimination, *parts, (31,))[0]]
        missed += [one_norm_misses(*parts)[0][-1]]
        for name, wrong in zip(found, missed, strict=True):
            found[name].append(int(wrong.sum()))
    return found


EXPERIMENTS = {
    "score": lambda *parts: ranked(*parts, rank=by_score),
    "elimination": lambda *parts: ranked(*parts, rank=by_elimination),
    "one-norm": one_norm,
    "overlap": overlap,
    "peeking": peeking,
    "resplit": resplit,
}


class Study:
    """study(name) gives the numbers of an experiment: computed, or as stored."""

    def __init__(self, folder):
        try:
            self.patients = load_leukemia(folder)
        except FileNotFoundError:
            self.patients = None

    def __call__(self, name: str) -> dict:
        if self.patients:
            return EXPERIMENTS[name](*self.patients)
        return json.loads(STORED.read_text())[name]


def _where(wrong) -> list[list[int]]:
    return [np.flatnonzero(row).tolist() for row in wrong]


if __name__ == "__main__":
    study = Study(sys.argv[1])
    if study.patients is None:
        sys.exit(f"{sys.argv[1]} does not hold the files of the leukemia data")
    numbers = {name: study(name) for name in EXPERIMENTS}
    lines = [f"{json.dumps(name)}: {json.dumps(found)}" for name, found in numbers.items()]
    STORED.write_text("{\n" + ",\n".join(lines) + "\n}\n")
