"""Tables of the chapters, with units in the head."""

import html
import re
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, eq=False)
class Table:
    """A table; the last value of a cell.

    head  names of the columns with their units, TeX between dollar signs
    rows  one sequence of words or numbers for each row, as long as the head

    Raises ValueError if the length of a row differs.
    """

    head: Sequence[str]
    rows: Sequence[Sequence]

    def __post_init__(self):
        for row in self.rows:
            if len(row) != len(self.head):
                rule = f"rows must have {len(self.head)} entries, as head has"
                raise ValueError(f"{rule}; got {row}")

    def __repr__(self) -> str:
        """Return the text that the regression test compares."""
        lines = [self.head, *self.rows]
        return "\n".join(" | ".join(map(str, line)) for line in lines)

    def _repr_html_(self) -> str:
        kinds = [_kind(column) for column in zip(self.head, *self.rows, strict=True)]
        head = _line("th", self.head, kinds)
        rows = "".join(_line("td", row, kinds) for row in self.rows)
        return (
            '<div class="hs-scroll"><table class="hs-table tex2jax_process">'
            f"<thead>{head}</thead><tbody>{rows}</tbody></table></div>"
        )


def _kind(column: Sequence) -> str:
    """Return the class of a column in which most cells are numbers; it is aligned right."""
    _, *cells = map(str, column)
    count = sum(bool(re.match(r"[-+]?\d", cell)) for cell in cells)
    return ' class="hs-number"' if 2 * count > len(cells) else ""


def _line(tag: str, cells: Sequence, kinds: Sequence[str]) -> str:
    pairs = zip(cells, kinds, strict=True)
    inside = (f"<{tag}{kind}>{html.escape(str(c))}</{tag}>" for c, kind in pairs)
    return f"<tr>{''.join(inside)}</tr>"
