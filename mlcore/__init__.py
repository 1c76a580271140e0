"""The algorithms of the book Halfspaces, from first principles, on NumPy and SciPy.

Each module at the top level contains one family of algorithms: `from mlcore.perceptron
import perceptron`.  They share the modules `linear`, `losses`, `features`, `metrics`,
`validation` and `scalings`.  The base layer is `arrays` (array types, sums over rows) and
`checks` (validation of arguments).

`solvers`     numerical methods behind the algorithms
`data`        data sets: from scikit-learn, synthetic, leukemia, and CSV files
`estimators`  the algorithms as scikit-learn classes
"""

__version__ = "3.0.0"
