// Compiles what a page's first answer imports, of Python's library and of NumPy: a browser
// would do so at each start.  node compile.mjs FOLDER, which has Pyodide.

import fs from "fs";
import { pathToFileURL } from "url";

const folder = process.argv[2];
const { loadPyodide } = await import(pathToFileURL(`${folder}/pyodide.mjs`));
const python = await loadPyodide({ indexURL: folder, stdout: () => {} });
await python.loadPackage("numpy", { messageCallback: () => {} });
const compile = python.runPython(`
import ast, contextlib, csv, dataclasses, html, json, linecache, random, traceback
import importlib.util, sys, zipfile
from importlib._bootstrap_external import _code_to_hash_pyc
import numpy

FOR_COMPILERS = ".pyi", ".pxd", ".h", ".c", ".a"
files = [m.__file__ for m in sys.modules.values() if getattr(m, "__file__", None)]

def compile_used(root, level):
    used = {file.removeprefix(root) for file in files if file.startswith(root)}
    with zipfile.ZipFile("/old") as old, zipfile.ZipFile("/new", "w") as new:
        for name in old.namelist():
            if name.endswith(FOR_COMPILERS):
                continue
            data, written = old.read(name), name
            if name in used and name.endswith(".py"):
                code = compile(data, name, "exec", dont_inherit=True, optimize=level)
                written, digest = name + "c", importlib.util.source_hash(data)
                data = _code_to_hash_pyc(code, digest, False)
            new.writestr(zipfile.ZipInfo(written), bytes(data), zipfile.ZIP_DEFLATED, 9)

compile_used`);
// Nobody asks the library for its docstrings; those of NumPy stay.
const numpy = fs.readdirSync(folder).find((name) => name.startsWith("numpy"));
const site = python.runPython("numpy.__path__[0].removesuffix('numpy')");
for (const [name, root, level] of [["python_stdlib.zip", "/lib/python314.zip/", 2], [numpy, site, 0]]) {
  python.FS.writeFile("/old", fs.readFileSync(`${folder}/${name}`));
  compile(root, level);
  fs.writeFileSync(`${folder}/${name}`, python.FS.readFile("/new"));
}
