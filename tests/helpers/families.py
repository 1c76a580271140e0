"""The names that the tests of each family of algorithms define, as in test_svm.py.

<function>_claims  the claims about a result: a formula, a definition, optimality conditions
ORACLES            {function: claims}; test_safety.py asserts them for unusual arguments
ERRORS             {message: call}; test_checks.py asserts the message
CASES              fits; test_fits.py asserts their claims on random and on hard data
test_...           examples computed by hand, ties, limits

The arguments that test_safety.py tries are in signatures.py, by name.
"""

import re
from importlib import import_module
from pathlib import Path

FILES = sorted((Path(__file__).parents[1] / "mlcore").glob("test_*.py"))
FAMILIES = [f.stem for f in FILES if re.search("^(ORACLES|ERRORS) = ", f.read_text(), re.M)]
TABLES = [vars(import_module(f"tests.mlcore.{name}")) for name in FAMILIES]
ORACLES = {f: claims for table in TABLES for f, claims in table.get("ORACLES", {}).items()}
ERRORS = [error for table in TABLES for error in table.get("ERRORS", {}).items()]
CASES = [case for table in TABLES for case in table.get("CASES", [])]
