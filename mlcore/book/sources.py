"""Show the code of a function beside its pseudo-code: the code that runs, not a copy."""

import ast
import inspect
import textwrap
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Source:
    """A function's own code, displayed with its docstring cut to the first sentence."""

    function: Callable

    def __repr__(self) -> str:
        return _shortened(inspect.getsource(self.function))

    def _repr_markdown_(self) -> str:
        home = self.function.__module__.replace(".", "/") + ".py"
        return f"```python\n# {home}\n{self!r}\n```"


def _shortened(code: str) -> str:
    """The code with the first line of its docstring only."""
    code = textwrap.dedent(code)
    body = ast.parse(code).body[0].body
    docstring = body[0]
    lines = code.splitlines()
    if (
        ast.get_docstring(ast.parse(code).body[0])
        and docstring.end_lineno > docstring.lineno
    ):
        lines[docstring.lineno - 1] += '"""'
        del lines[docstring.lineno : docstring.end_lineno]
    return "\n".join(lines)
