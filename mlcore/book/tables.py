"""Tables for the chapters: rows that a reader compares, with units in the head."""

import html
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, eq=False)
class Table:
    """A table; as the last value of a cell it displays itself.

    head  the names of the columns with their units, TeX between dollar signs
    rows  one sequence of words or numbers for each row, as long as the head

    Raises ValueError if a row has another length.
    """

    head: Sequence[str]
    rows: Sequence[Sequence]

    def __post_init__(self):
        for row in self.rows:
            if len(row) != len(self.head):
                raise ValueError(
                    f"rows must have {len(self.head)} entries, as head has; got {row}"
                )

    def __repr__(self) -> str:
        """What the regression test compares."""
        lines = [self.head, *self.rows]
        return "\n".join(" | ".join(map(str, line)) for line in lines)

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{html.escape(str(name))}</th>" for name in self.head)
        rows = "".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in self.rows)
        return (
            '<div class="hs-scroll"><table class="hs-table tex2jax_process">'
            f"<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>"
        )


def _cell(value) -> str:
    text = html.escape(str(value))
    kind = ' class="hs-number"' if text[:1] in tuple("0123456789-+") else ""
    return f"<td{kind}>{text}</td>"
