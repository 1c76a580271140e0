"""Run every benchmark of this folder, one after the other, each in its own process."""

import subprocess
import sys
from pathlib import Path

if __name__ == "__main__":
    for path in sorted(Path(__file__).parent.glob("[!_]*.py")):
        print(f"\n{path.stem}", flush=True)
        subprocess.run([sys.executable, path], check=True)
