"""Convert TeX to MathML with Temml, in one Node process for all formulas of a build."""

import json
import subprocess
from functools import cache
from pathlib import Path

from sitebuild.fetching import node_command

HERE = Path(__file__).parent
SCRIPT = HERE / "static" / "formulas" / "typeset.js"


class Typesetter:
    """Typeset and cache formulas; the process starts with the first formula.

    temml    path of temml.min.js
    macros   {command: TeX, or [TeX, number of arguments]}
    """

    def __init__(self, temml: Path, macros: dict):
        self.scripts = [temml, SCRIPT]
        self.macros = temml_macros(macros)
        self._request, self.process = cache(self._request), None

    def formula(self, tex: str, display: bool = False) -> str:
        """Return a formula as MathML.  Raises ValueError with Temml's message."""
        return self._request(tex=tex, display=display)

    def in_html(self, html: str) -> str:
        r"""Typeset $..$, $$..$$, \(..\) and \[..\] in HTML, as in JupyterLab."""
        return self._request(html=html) if "$" in html or "\\" in html else html

    def close(self) -> None:
        if self.process:
            self.process.communicate()
        self.process = None

    def _request(self, **message) -> str:
        if self.process is None:
            command = [*node_command("node"), HERE / "typeset.cjs", *self.scripts]
            pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
            self.process = subprocess.Popen(command, **pipes, text=True)
        self.process.stdin.write(json.dumps(message | {"macros": self.macros}) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            code = self.process.wait()
            raise OSError(f"Node exited with {code} while typesetting formulas")
        answer = json.loads(line)
        if "error" in answer:
            raise ValueError(" ".join(answer["error"].replace("\u0332", "").split()))
        return answer["html"]


def temml_macros(macros: dict) -> dict[str, str]:
    """Return macros in Temml's form, which has no number of arguments."""
    texts = {name: m[0] if isinstance(m, list) else m for name, m in macros.items()}
    return {f"\\{name}": text for name, text in texts.items()}
