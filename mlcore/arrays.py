"""The vocabulary of the package: what its arrays hold, where randomness comes from."""

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]  # X: (n, d), one example a row
Vector = NDArray[np.float64]  # w: (d,), or one number for each example: (n,)
Signs = NDArray[np.float64]  # y: (n,), each -1 or +1
Seed = int | np.random.Generator | None  # what np.random.default_rng takes
