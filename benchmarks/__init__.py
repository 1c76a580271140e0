"""Time `mlcore` beside scikit-learn and beside the version that one writes first."""

import os

# One thread for every library, set before NumPy is imported.
os.environ |= dict.fromkeys(
    ["OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"], "1"
)
