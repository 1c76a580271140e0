"""The data sets of the book: from scikit-learn, synthetic, leukemia, and CSV files.

Every data set has names for its features and labels.
"""

from mlcore.data.bundled import breast_cancer, diabetes, digits, iris
from mlcore.data.csv_file import load_csv
from mlcore.data.dataset import Dataset
from mlcore.data.leukemia import load_leukemia
from mlcore.data.synthetic import overlapping, parity, ring, separable

__all__ = ["Dataset", "breast_cancer", "diabetes", "digits", "iris", "load_csv"]
__all__ += ["load_leukemia", "overlapping", "parity", "ring", "separable"]
