"""Kill what builds the book at random moments: is what is left whole, the next run right?

    make faults                       twenty kills of each command, about an hour
    make faults TIMES=3 ONLY="book"   fewer; SEED=7 repeats the moments of an earlier run

In a clone of the whole book, in a folder whose name has spaces and an accent.  A kill
strikes all processes of the command, or one of them.  After each, every file that the
command writes has the bytes of before or those of a run that nobody disturbed, and git
sees nothing astray; after every fourth, the command is run to its end and has to leave
exactly the latter.
"""

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from clones import cloned, digests, environment, room

PAGE, CHECKS = "chapters/notation.md", "chapters/checks.md"
CHAPTERS = ("chapters/intro.ipynb", "chapters/perceptron.ipynb")
WRITTEN = (*CHAPTERS, CHECKS)
KEPT = ("test_package.py", "test_checks.py", "intro.ipynb")  # of `make test`
EVERY = 4  # kills, then a run to the end


@dataclass
class Killed:
    """A command that is killed again and again, in the clone where that happens."""

    name: str
    folder: Path
    words: list[str]
    edit: Callable[[Path, int], None]  # gives the command something to do
    env: dict[str, str]
    turns: int = 1  # kills until the next edit
    known: dict[str, set[str]] = field(default_factory=dict)  # what each part may be
    wanted: dict[int, dict[str, str]] = field(default_factory=dict)  # after each edit
    seconds: dict[str, float] = field(default_factory=dict)  # of a run, by what is due
    groups: set[int] = field(default_factory=set)  # of processes, one for each start
    version: int = -1  # of the sources: edited last
    due: str = ""

    def start(self) -> subprocess.Popen:
        """In a session of its own, so that its processes can be killed together."""
        with open(self.log, "w") as log:
            running = subprocess.Popen(
                ["make", *self.words],
                cwd=self.folder,
                env=self.env,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        self.groups.add(running.pid)
        return running

    @property
    def log(self) -> Path:
        return self.folder.with_name("said")

    def run(self) -> str:
        """Run to the end; returns what was said if that failed."""
        return self.log.read_text() if self.start().wait() else ""

    def parts(self) -> dict[str, str]:
        """Each part that is replaced as a whole: the digests of the site, each notebook."""
        site = json.dumps(digests(self.folder / "_build" / "html"))
        files = {name: (self.folder / name).read_text() for name in WRITTEN}
        return {"site": site} | files

    def learn(self) -> None:
        """See what each edit has to lead to, with nobody disturbing."""
        for version in (1, 0, 0):
            self.prepare(version)
            self.remember()
            begin = time.monotonic()
            if said := self.run():
                raise SystemExit(f"{said}\nmake {self.name} fails without any kill.")
            self.seconds[self.due] = time.monotonic() - begin
            self.wanted[version] = self.remember()
        told = ", ".join(f"{due} {took:.0f} s" for due, took in self.seconds.items())
        print(f"{self.name}, undisturbed: {told}", flush=True)

    def prepare(self, version: int) -> None:
        """Edit the sources, and know what a run has to do then.

        While a part of a command that was killed is at work, nothing is edited: what it
        makes of two versions would be neither.
        """
        busy = members(self.groups)
        version = self.version if busy else version
        recorded = (self.folder / "_build" / "built.json").exists()
        edited = "an edit" if version != self.version else "nothing"
        self.due, self.version = edited if recorded else "all", version
        if not busy:
            self.edit(self.folder, version)

    def remember(self) -> dict[str, str]:
        parts = self.parts()
        for name, part in parts.items():
            self.known.setdefault(name, set()).add(part)
        return parts

    def strike(self, draw: random.Random) -> tuple[str, str]:
        """Start, kill at some moment; returns what was hit, and where it was by then."""
        begin, running = time.time(), self.start()
        time.sleep(
            draw.uniform(0, self.seconds.get(self.due) or max(self.seconds.values()))
        )
        group = members({running.pid})
        if not group:
            return "nothing", "after the end"
        if draw.random() < 2 / 3:
            os.killpg(running.pid, signal.SIGKILL)
            hit = "all"
        else:
            process = draw.choice(sorted(group))
            os.kill(process, signal.SIGKILL)
            hit = f"one: {group[process]}"
        point = self.point(begin)
        running.wait()
        return hit, point

    def point(self, begin: float) -> str:
        """Where a command was that began at that time."""
        said, build = self.log.read_text(), self.folder / "_build"
        pickled = build / "work" / "_build" / ".doctrees" / "environment.pickle"
        if self.name == "notebooks":
            done = said.count(": done in")
            return f"{done} of {len(CHAPTERS)} done" if " cells ..." in said else "starting"
        if "Testing" in said:
            return "testing"
        if (build / "html.new").exists():
            return "copying the site"
        if "The book:" in said or "Building" not in said:
            return "ending" if "The book:" in said else "starting"
        read = pickled.exists() and pickled.stat().st_mtime > begin
        return "writing pages" if read else "reading pages"

    def damage(self, wanted: dict[str, str] | None = None) -> str:
        """What is not whole, or not as wanted; nothing if all is well."""
        try:
            parts = self.parts()
        except (OSError, ValueError) as error:
            return f"cannot be read: {error}"
        good = {name: {wanted[name]} for name in wanted} if wanted else self.known
        bad = [name for name, part in parts.items() if part not in good[name]]
        if "site" in bad:
            bad += difference(parts["site"], good["site"])
        status = ["git", "status", "--porcelain"]
        done = subprocess.run(status, cwd=self.folder, capture_output=True, text=True)
        lines = done.stdout.splitlines()
        return ", ".join(bad + [s for s in lines if s[3:] not in (PAGE, *WRITTEN)])


def difference(site: str, good: set[str]) -> list[str]:
    """Some files of a site that differ from the one that is nearest to it."""
    now, found = json.loads(site), []
    for files in map(json.loads, good):
        found.append([n for n in now.keys() | files.keys() if now.get(n) != files.get(n)])
    return sorted(min(found, key=len))[:5]


def members(groups: set[int]) -> dict[int, str]:
    """The processes of some groups that still run, with their names."""
    found = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            name, _, rest = path.read_text().partition("(")[2].rpartition(")")
            state, _, its_group = rest.split()[:3]
        except OSError:
            continue
        if int(its_group) in groups and state != "Z":
            found[int(path.parent.name)] = name
    return found


def edit_page(folder: Path, version: int) -> None:
    page = folder / PAGE
    text = page.read_text().removesuffix("\nAn edit.\n")
    page.write_text(text + "\nAn edit.\n" * version)


def empty_outputs(folder: Path, version: int) -> None:
    """The notebooks without what they answered: it is what their execution brings back."""
    for name in CHAPTERS:
        notebook = json.loads((folder / name).read_text())
        for cell in notebook["cells"]:
            if cell["cell_type"] == "code":
                cell |= {"outputs": [], "execution_count": None}
        (folder / name).write_text(json.dumps(notebook))


def commands(folder: Path) -> list[Killed]:
    env = environment(folder)
    tests = [*folder.glob("tests/test_*.py"), *folder.glob("chapters/*.ipynb")]
    rooms = [path for path in folder.glob("tests/*") if path.is_dir()]
    left_out = [path for path in [*tests, *rooms] if path.name not in KEPT]
    few = " ".join(f"--ignore={path.relative_to(folder)}" for path in left_out)
    chapters = " ".join(Path(name).stem for name in CHAPTERS)
    return [
        Killed("notebooks", folder, ["notebooks", f"ONLY={chapters}"], empty_outputs, env),
        Killed("book", folder, ["book"], edit_page, env),
        Killed("test", folder, ["test"], edit_page, env | {"PYTEST_ADDOPTS": few}, 5),
    ]


def kill(command: Killed, times: int, draw: random.Random) -> tuple[Counter, int]:
    """Kill a command so often; counts the kills by point, and the faults."""
    points, faults = Counter[tuple[str, str, str]](), 0
    command.learn()
    for number in range(1, times + 1):
        command.prepare(number // command.turns % 2)
        begin = time.monotonic()
        hit, point = command.strike(draw)
        took, wrong = time.monotonic() - begin, command.damage()
        told = "whole"
        if not wrong and (number % EVERY == 0 or number == times):
            wrong = command.run() or command.damage(command.wanted[command.version])
            told = "whole, and the next run is right"
        faults += bool(wrong)
        points[command.name, point, hit.partition(":")[0]] += 1
        line = f"{command.name:10}{number:3}  {hit:18} {took:5.1f} s  {point:17} "
        print(line + (f"FAULT: {wrong}" if wrong else told), flush=True)
    return points, faults


def left_running(folder: Path, patience: float = 60) -> list[str]:
    """The processes that still work in the clone when their parents are long gone."""
    end = time.monotonic() + patience
    while True:
        found = []
        for path in Path("/proc").glob("[0-9]*/cwd"):
            try:
                if path.resolve().is_relative_to(folder):
                    found.append((path.parent / "cmdline").read_text().replace("\0", " "))
            except OSError:
                continue
        if not found or time.monotonic() > end:
            return found
        time.sleep(1)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--times", type=int, default=20)
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    parser.add_argument("names", nargs="*", help="some of: notebooks book test")
    wanted = parser.parse_args()
    print(f"SEED={wanted.seed}", flush=True)
    draw, points, faults = random.Random(wanted.seed), Counter(), 0
    with room() as place:
        folder = cloned(place / "a clone, déjà vu")
        for command in commands(folder):
            if command.name in (wanted.names or [command.name]):
                found, wrong = kill(command, wanted.times, draw)
                points, faults = points + found, faults + wrong
        left = left_running(folder)
    print("\n".join(f"STILL RUNNING: {line}" for line in left))
    for (name, point, hit), count in sorted(points.items()):
        print(f"{name:10} {point:18} {hit:8} {count:4}")
    print(f"{points.total()} kills, {faults + len(left)} faults")
    return int(bool(faults or left))


if __name__ == "__main__":
    sys.exit(main())
