"""The data of the book: real sets that come with scikit-learn, leukemia, synthetic ones,
and a reader's own.

Every data set says what its features and its labels mean.
"""

from mlcore.data.bundled import breast_cancer, diabetes, digits, iris
from mlcore.data.dataset import Dataset
from mlcore.data.leukemia import load_leukemia
from mlcore.data.own import own
from mlcore.data.synthetic import overlapping, parity, ring, separable

__all__ = ["Dataset", "breast_cancer", "diabetes", "digits", "iris", "load_leukemia"]
__all__ += ["overlapping", "own", "parity", "ring", "separable"]
