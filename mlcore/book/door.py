"""All that `from mlcore.book import …` gives: loaded when the first name is asked for."""

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
from mlcore.book.proofs import (
    b,
    d,
    derivative,
    equation,
    i,
    invertible,
    j,
    k,
    l,
    less,
    n,
    not_less,
    orthonormal,
    perpendicular,
    prove,
    signs,
    subdifferential,
    total,
    unequal,
    unit,
    w,
    x,
    y,
    zero_or_one,
)
from mlcore.book.sources import Source
from mlcore.book.tables import Table
from mlcore.book.widgets import grid, player

__all__ = ["GREEN", "INK", "NEGATIVE", "POSITIVE", "PURPLE", "Picture", "Source", "Table"]
__all__ += ["canvas", "grid", "player", "prove", "subdifferential"]
__all__ += ["plot_arrow", "plot_line", "plot_points", "plot_sides"]
__all__ += ["equation", "invertible", "less", "not_less", "orthonormal"]
__all__ += ["perpendicular", "signs", "unequal", "unit", "zero_or_one"]
__all__ += ["b", "d", "derivative", "i", "j", "k", "l", "n", "total", "w", "x", "y"]
