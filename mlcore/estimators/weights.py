"""Examples, and classes, that count more than others, for the classes of `estimators`."""

import numpy as np
from sklearn.utils.class_weight import compute_class_weight

from mlcore.arrays import Matrix
from mlcore.checks import check_vector
from mlcore.estimators.base import Classifier, Shell


class Weighted(Shell):
    """For functions that take a sample_weight."""

    def fit(self, X, y, sample_weight=None):
        """Learn from X (n, d) and y (n,); returns self.

        sample_weight  (n,) how often each example counts, at least 0; None: once
        """
        return self._fit(X, y, sample_weight=sample_weight)


class WeightedClassifier(Weighted, Classifier):
    """The same for a classifier, whose classes may have weights, too.

    class_weight  a weight for each label, which multiplies the weights of its examples;
                  "balanced": all classes together weigh the same; None: 1
    """

    def _learn(self, X: Matrix, y, sample_weight=None, **given):
        if sample_weight is None and self.class_weight is None:
            return super()._learn(X, y)
        s = np.ones(len(y)) if sample_weight is None else sample_weight
        s = check_vector("sample_weight", s, length=len(y))
        total = np.bincount(y, weights=s)
        if not total.all():
            label = self.classes_[total == 0][0]
            raise ValueError(
                f"sample_weight must not be zero for a whole class; it is for {label}"
            )
        if self.class_weight == "balanced":
            own = total.sum() / total
        else:
            own = compute_class_weight(
                self.class_weight, classes=self.classes_, y=self.classes_
            )
        if not own.min() > 0:
            raise ValueError(f"class_weight must be above 0; got {own.min():g}")
        return super()._learn(X, y, sample_weight=s * own[y])
