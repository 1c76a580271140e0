"""A command of make that is killed, and what is left of it.  Linux alone, for its /proc."""

import json
import os
import random
import signal
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from clones import digests

PAGE, CHECKS = "chapters/notation.md", "chapters/checks.md"
CHAPTERS = ("chapters/intro.ipynb", "chapters/perceptron.ipynb")
WRITTEN = (*CHAPTERS, CHECKS)


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
        self.known["site"] = {parts["site"] for parts in self.wanted.values()}
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
        usual = self.seconds.get(self.due) or max(self.seconds.values())
        time.sleep(draw.uniform(0, usual))
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
        """What is not whole, or after a run to the end not as wanted; nothing if all is."""
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
        lines = [s for s in done.stdout.splitlines() if s[3:] not in (PAGE, *WRITTEN)]
        drafts = [p.name for p in self.folder.glob("chapters/.*.tmp")] if wanted else []
        return ", ".join(bad + lines + drafts)


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
