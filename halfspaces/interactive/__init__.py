"""Figures with points that a reader drags; see `interactive.figure`.

Chapters import these names; none of them loads Matplotlib or SymPy.
"""

from halfspaces.formatting import format_number
from halfspaces.interactive.figure import Frame, InteractiveFigure, Number
from halfspaces.interactive.handles import Points
from halfspaces.interactive.marks import (
    Arrow,
    Curve,
    Dots,
    Halfplanes,
    Line,
    Region,
    Ring,
    Sides,
    Text,
    margin_band,
)
from halfspaces.interactive.plane import Plane

__all__ = ["Arrow", "Curve", "Dots", "Frame", "Halfplanes", "InteractiveFigure", "Line"]
__all__ += ["Number", "Plane", "Points", "Region", "Ring", "Sides", "Text"]
__all__ += ["format_number", "margin_band"]
