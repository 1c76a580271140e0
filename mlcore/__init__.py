"""The algorithms of the book Halfspaces, from first principles.

Here at the top is the shelf, one family of algorithms a file: `from mlcore.perceptron
import perceptron`.  Beside it are the words that the families share (`linear`, `losses`,
`features`, `metrics`, `validation`, `scalings`) and the ground under everything: what
arrays hold (`arrays`), sums over their rows (`blocks`), and the doors that refuse bad data
and bad options (`checks`).

`solvers`     numerics under the shelf, arrays in, arrays out
`data`        the examples: bundled sets, synthetic ones with known answers, leukemia
`estimators`  the algorithms as scikit-learn classes
`book`        what notebooks use and no algorithm needs
"""

__version__ = "3.0.0"
