"""What an agent changed is written and read as one and the same form, whatever stands in the files."""

import pytest

from runner.contract.comparison.difference import ChangedLine, LineChange, changed_lines, read_difference, unified

FILES = {
    "shop/a.py": "one\ntwo\nthree\n",
    "shop/gone.py": "was\n",
    "b c.py": "x",
}
LATER = {
    "shop/a.py": "one\n2\nthree\nfour",
    "b c.py": "x\n",
    "new.py": "-- y\n++ z\n",
}


def rebuilt(base, difference):
    """The later files, from the earlier ones and a difference that was read."""
    found = dict(base)
    for file in read_difference(difference):
        lines = found.pop(file.path, "").split("\n")
        kept = lines if lines[-1] else lines[:-1]
        if file.change is LineChange.removed:
            continue
        ends = not lines[-1]
        changed = [line for hunk in file.hunks for line in hunk]
        for line in reversed([line for line in changed if line.change is LineChange.removed]):
            assert kept.pop(line.number - 1) == line.text
        for line in [line for line in changed if line.change is not LineChange.removed]:
            if line.change is LineChange.added:
                kept.insert(line.number - 1, line.text)
            assert kept[line.number - 1] == line.text
            ends = line.ends if line.number == len(kept) else ends
        found[file.path] = "\n".join(kept) + ("\n" if ends else "")
    return found


def test_a_difference_tells_what_was_added_removed_and_kept_with_line_numbers():
    (a,) = read_difference(unified({"a": "one\ntwo\n"}, {"a": "one\n2\n"}))

    assert (a.path, a.change, a.count(LineChange.added), a.count(LineChange.removed)) == ("a", LineChange.same, 1, 1)
    assert a.hunks == (
        (
            ChangedLine(LineChange.same, 1, "one"),
            ChangedLine(LineChange.removed, 2, "two"),
            ChangedLine(LineChange.added, 2, "2"),
        ),
    )


def test_files_that_came_and_went_are_told_and_the_later_files_follow_from_the_earlier():
    difference = unified(FILES, LATER)

    told = {file.path: file.change for file in read_difference(difference)}
    assert told == {
        "shop/a.py": LineChange.same,
        "shop/gone.py": LineChange.removed,
        "b c.py": LineChange.same,
        "new.py": LineChange.added,
    }
    assert rebuilt(FILES, difference) == LATER


@pytest.mark.parametrize("sign", ["\r", "\x0b", "\x0c", "\x1c", "\x85", "\u2028", "\u2029"])
def test_only_a_line_feed_ends_a_line(sign):
    base, files = {"a": f"x{sign}y\n"}, {"a": f"x{sign}z\n"}
    (file,) = read_difference(unified(base, files))

    assert [line.text for line in file.hunks[0]] == [f"x{sign}y", f"x{sign}z"]
    assert rebuilt(base, unified(base, files)) == files


def test_lines_that_look_like_heads_count_as_the_lines_they_are():
    assert changed_lines(unified({"a": "-- x\n"}, {"a": "++ x\n++ y\n"})) == 3


@pytest.mark.parametrize("path", ["a\n+++ b/b", '"a"', "a\tb", "\udc80"])
def test_a_path_that_no_line_can_hold_is_quoted_and_reads_back(path):
    (file,) = read_difference(unified({}, {path: "x\n"}))

    assert (file.path, file.change) == (path, LineChange.added)


@pytest.mark.parametrize(
    "text",
    [
        "no line feed",
        "--- a/x\n",
        "--- a/x\n+++ b/x\n",
        "--- a/x\n+++ b/x\n@@ nonsense @@\n",
        "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n",
        "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n+c\n",
        "--- a/x\n+++ b/x\n@@ -1 +1 @@\n\\ No newline at end of file\n-a\n+b\n",
        "--- x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n",
        '--- "x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n',
    ],
)
def test_any_other_text_is_refused_with_its_line(text):
    with pytest.raises(ValueError, match=r"line|names no file"):
        read_difference(text)
