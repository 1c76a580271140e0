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
import random
import sys
import time
from collections import Counter
from pathlib import Path

from clones import cloned, environment, room
from killing import CHAPTERS, PAGE, Killed, left_running

KEPT = ("test_package.py", "test_checks.py", "intro.ipynb")  # of `make test`
EVERY = 4  # kills, then a run to the end


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
