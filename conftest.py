"""What takes longest begins first, among the tests and the notebooks."""

# A worker that begins with one of these at the end keeps all waiting.
LONGEST = ["test_mutants", "test_lab", "test_live", "test_make", "test_pages", "svm.ipynb"]
LONGEST += [".ipynb", "test_leukemia_study", "test_package", "test_beyond_memory"]
LONGEST += ["test_safety", "test_estimators", "test_imports"]


def pytest_collection_modifyitems(items):
    items.sort(key=lambda item: rank(item.path.name))


def rank(file: str) -> int:
    found = (rank for rank, name in enumerate(LONGEST) if name in file)
    return next(found, len(LONGEST))
