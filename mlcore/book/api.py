"""All that `from mlcore.book import …` gives: loaded when the first name is asked for."""
# ruff: noqa: F401, F403

from mlcore.book.pictures import *  # canvas and Picture, what is drawn, the colors
from mlcore.book.proofs import *  # prove, the hypotheses, the letters
from mlcore.book.tables import Table
from mlcore.book.widgets import grid, player
