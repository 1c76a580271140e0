"""TeX to MathML: one process of Node with Temml, which sets all formulas of a build."""

import json
import subprocess
from functools import cache
from pathlib import Path

from sitebuild.fetching import node_command

HERE = Path(__file__).parent
SET = HERE / "static" / "formulas" / "set.js"


class Setter:
    """What was set once is not set again; the process starts with the first formula.

    temml    the path of temml.min.js
    macros   TeX commands of the book: a definition, or one with its number of arguments
    """

    def __init__(self, temml: Path, macros: dict):
        self.scripts = [temml, SET]
        self.macros = spelled(macros)
        self._ask, self.process = cache(self._ask), None

    def formula(self, tex: str, display: bool = False) -> str:
        """The MathML of a formula.  Raises ValueError with what is wrong in it."""
        return self._ask(tex=tex, display=display)

    def in_html(self, html: str) -> str:
        r"""HTML with its formulas set: $..$, $$..$$, \(..\), \[..\], as in JupyterLab."""
        return self._ask(html=html) if "$" in html or "\\" in html else html

    def close(self) -> None:
        if self.process:
            self.process.communicate()
        self.process = None

    def _ask(self, **question) -> str:
        if self.process is None:
            command = [*node_command("node"), HERE / "answer.cjs", *self.scripts]
            pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
            self.process = subprocess.Popen(command, **pipes, text=True)
        self.process.stdin.write(json.dumps(question | {"macros": self.macros}) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise OSError(f"Node ended with {self.process.wait()} while it set formulas")
        answer = json.loads(line)
        if "error" in answer:
            raise ValueError(" ".join(answer["error"].replace("\u0332", "").split()))
        return answer["done"]


def spelled(macros: dict) -> dict[str, str]:
    """Macros as Temml has them; a definition tells itself how many arguments it has."""
    texts = {name: m[0] if isinstance(m, list) else m for name, m in macros.items()}
    return {f"\\{name}": text for name, text in texts.items()}
