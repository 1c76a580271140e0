"""All that `from mlcore.book import …` gives: loaded when the first name is asked for."""

import mlcore.book.proofs as proofs
from mlcore.book.pictures import (
    GREEN,
    INK,
    NEGATIVE,
    POSITIVE,
    PURPLE,
    Picture,
    canvas,
    plot_arrow,
    plot_line,
    plot_points,
    plot_sides,
)
from mlcore.book.proofs import *  # noqa: F403  prove, the hypotheses, the letters
from mlcore.book.tables import Table
from mlcore.book.widgets import grid, player

__all__ = ["GREEN", "INK", "NEGATIVE", "POSITIVE", "PURPLE", "Picture", "Table"]
__all__ += ["canvas", "plot_arrow", "plot_line", "plot_points", "plot_sides"]
__all__ += ["grid", "player", *proofs.__all__]
