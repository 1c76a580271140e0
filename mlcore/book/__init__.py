"""What the notebooks use and no algorithm needs: pictures, moving pictures, proofs.

A chapter says `from mlcore.book import Picture, canvas, player, prove`, then the letters
that its formulas have.  The first such name loads SymPy and Matplotlib: the checkers of
the exercises, which are in this package too, do without.
"""

import mlcore.book.print_options  # noqa: F401  sets how numbers print


def __getattr__(name: str):
    """The names of `mlcore.book.api`."""
    if name.startswith("__"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        import mlcore.book.api as api
    except ModuleNotFoundError as missing:
        needs = 'The notebooks need more than mlcore: pip install "mlcore[book]"'
        raise ModuleNotFoundError(f"{missing}. {needs}") from None
    return getattr(api, name)
