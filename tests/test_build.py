"""The edition without solutions holds none; a solution cut in two is named."""

from pathlib import Path

import pytest
from making import build_page

ROOT = Path(__file__).resolve().parents[1]

EXERCISES = """# A page

```{exercise} On paper
:label: one
How much is one and one?
```

```{solution} one
:class: dropdown
SECRET-A
```

```{exercise-start} In code
:label: two
```
Write it.
```{exercise-end}
```

```{solution-start} two
:class: dropdown
```
SECRET-B
```python
SECRET_C
```
```{solution-end}
```

After.
"""


def build(folder: Path, text: str, *, hide_solutions: bool) -> tuple[str, str, int]:
    """Build a book of one page; returns the page, what was said and the exit code."""
    sphinx = {
        "local_extensions": {"solutions": str(ROOT / "_ext")},
        "extra_extensions": ["sphinx_exercise"],
        "config": {"hide_solutions": hide_solutions},
    }
    return build_page(folder, text, {"sphinx": sphinx})


@pytest.mark.parametrize("hidden", [False, True])
def test_the_edition_without_solutions_holds_none(tmp_path, hidden):
    html, said, code = build(tmp_path, EXERCISES, hide_solutions=hidden)
    assert code == 0, said
    assert "How much is one and one?" in html and "After." in html
    leaks = [
        path.relative_to(tmp_path).as_posix()
        for path in (tmp_path / "_build" / "html").rglob("*")
        if path.is_file() and b"SECRET" in path.read_bytes()
    ]
    assert leaks == [] if hidden else "page.html" in "".join(leaks)


def test_a_solution_cut_by_a_heading_is_named(tmp_path):
    text = EXERCISES.replace("SECRET-B", "## A heading\n\nSECRET-B")
    _, said, code = build(tmp_path, text, hide_solutions=True)
    assert code != 0 and "a heading or the end of the page comes before" in said
