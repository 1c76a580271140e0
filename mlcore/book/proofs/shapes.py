"""Which symbols of an expression count something, and what its indices run over."""

from functools import cached_property

import sympy as sp

from mlcore.book.proofs.letters import LENGTH, SHAPE


class Shape:
    """The sizes and the free indices of some expressions.

    sizes    symbols that end a sum, or give a matrix its shape, in the order of their names
    indices  {free index: the size that it runs up to}
    """

    def __init__(self, *sides):
        self._sides = sides
        self._sums = {s for side in sides for s in side.atoms(sp.Sum)}
        self._entries = {entry for side in sides for entry in side.atoms(sp.Indexed)}
        self.bound = {limit[0] for s in self._sums for limit in s.limits}

    @cached_property
    def sizes(self) -> list:
        kinds = sp.MatrixSymbol, sp.Identity, sp.OneMatrix, sp.ZeroMatrix
        ends = {limit[2] for s in self._sums for limit in s.limits}
        ends |= {
            m for side in self._sides for part in side.atoms(*kinds) for m in part.shape
        }
        ends |= set(self.indices.values())
        symbols = {symbol for end in ends for symbol in sp.sympify(end).free_symbols}
        return sorted(symbols - self.indices.keys(), key=str, reverse=True)  # n before d

    @cached_property
    def indices(self) -> dict:
        """Raises ValueError if an entry does not tell what its index runs over."""
        free = {symbol for side in self._sides for symbol in side.free_symbols}
        found = {}
        for entry in sorted(self._entries, key=str):
            for position, index in enumerate(entry.indices):
                if index.is_Symbol and index in free - self.bound:
                    size = LENGTH.get(index) or self._ranges.get((entry.base, position))
                    if size is None:
                        raise ValueError(f"the index of {entry} must run over something")
                    found[index] = size
        return found

    @cached_property
    def _ranges(self) -> dict:
        """{(array, position of the index): size}, from the sums and the book's letters."""
        found = {(base, q): s for base, sizes in SHAPE.items() for q, s in enumerate(sizes)}
        ends = {limit[0]: limit[2] for s in self._sums for limit in s.limits}
        for entry in self._entries:
            for position, index in enumerate(entry.indices):
                size = ends.get(index, LENGTH.get(index))
                if size is not None:
                    found.setdefault((entry.base, position), size)
        return found

    @cached_property
    def letters(self) -> set:
        """Arrays, matrices, functions and symbols, without sizes and indices."""
        functions = {
            f.func for e in self._sides for f in e.atoms(sp.core.function.AppliedUndef)
        }
        matrices = {m for e in self._sides for m in e.atoms(sp.MatrixSymbol)}
        arrays = {entry.base for entry in self._entries}
        free = {s for e in self._sides for s in e.free_symbols if isinstance(s, sp.Symbol)}
        free -= {array.label for array in arrays} | self.bound
        return functions | matrices | arrays | free - {*self.sizes, *self.indices}
