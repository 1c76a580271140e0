"""Tables of the chapters, with units in the header."""

import html
import re
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, eq=False)
class Table:
    """A table, displayed if it is the last line of a cell.

    header  names of the columns with their units, TeX between dollar signs
    rows    one sequence of words or numbers for each row, as long as the header

    Raises ValueError if a row does not have the length of the header.
    """

    header: Sequence[str]
    rows: Sequence[Sequence]

    def __post_init__(self):
        for row in self.rows:
            if len(row) != len(self.header):
                rule = f"rows must have {len(self.header)} entries, like header"
                raise ValueError(f"{rule}; got {row}")

    def __repr__(self) -> str:
        """Return the text that the regression test compares."""
        lines = [self.header, *self.rows]
        return "\n".join(" | ".join(map(str, line)) for line in lines)

    def _repr_html_(self) -> str:
        attributes = [*map(_class_attribute, zip(self.header, *self.rows, strict=True))]
        header = _row("th", self.header, attributes)
        rows = "".join(_row("td", row, attributes) for row in self.rows)
        return (
            '<div class="hs-scroll"><table class="hs-table tex2jax_process">'
            f"<thead>{header}</thead><tbody>{rows}</tbody></table></div>"
        )


def _class_attribute(column: Sequence) -> str:
    """Return the class attribute that right-aligns a column if most cells are numbers."""
    _, *cells = map(str, column)
    count = sum(bool(re.match(r"[-+]?\d", cell)) for cell in cells)
    return ' class="hs-number"' if 2 * count > len(cells) else ""


def _row(tag: str, cells: Sequence, attributes: Sequence[str]) -> str:
    pairs = zip(cells, attributes, strict=True)
    elements = (f"<{tag}{a}>{html.escape(str(cell))}</{tag}>" for cell, a in pairs)
    return f"<tr>{''.join(elements)}</tr>"
