"""Figures with points that a reader drags; see `interactive.figure`.

Chapters take these names from here.  They load neither Matplotlib nor SymPy.
"""

from halfspaces.formatting import format_number
from halfspaces.interactive.figure import Grab, Number, Scene, grab
from halfspaces.interactive.handles import Points
from halfspaces.interactive.marks import (
    Arrow,
    Curve,
    Dots,
    Line,
    Part,
    Region,
    Ring,
    Sides,
    Text,
    street,
)
from halfspaces.interactive.plane import Plane

__all__ = ["Arrow", "Curve", "Dots", "Grab", "Line", "Number", "Part", "Plane", "Points"]
__all__ += ["Region", "Ring", "Scene", "Sides", "Text", "format_number", "grab", "street"]
