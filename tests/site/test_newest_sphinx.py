"""The comparison of two built sites."""

from sitebuild.newest_sphinx import compare

PAGE = '<h1 id="top">Words</h1><article>{words}<p id="{id}"></p></article>'


def write(folder, **pages):
    folder.mkdir()
    for name, (words, id_) in pages.items():
        (folder / f"{name}.html").write_text(PAGE.format(words=words, id=id_))
    return folder


def test_compare_lists_changes_and_reports_a_lost_id_or_page(tmp_path):
    old = write(tmp_path / "old", one=("a b", "x"), two=("c", "y"))
    changed = write(tmp_path / "changed", one=("a d", "x"), two=("c", "y"), three=("", "z"))
    lost = write(tmp_path / "lost", one=("a b", "z"))
    assert compare(old, old) == ([], False)
    assert compare(old, changed) == (["one.html: 2 words: -b +d"], False)
    lines = ["one.html: 1 ids lost: x", "one.html: 1 ids added: z", "two.html is missing"]
    assert compare(old, lost) == (lines, True)
