"""What a site is built on does not show in it: no path, no name of the machine or its user, in any file."""

import getpass
import platform

from sitegen.build import build
from tests.sitegen.pages.sample import a_full_project


def test_no_file_of_the_site_names_the_place_it_was_built_on(tmp_path):
    root = tmp_path / "where-it-was-built"
    build(a_full_project(root / "project"), root / "site")
    telling = [word for word in (str(tmp_path), "where-it-was-built", platform.node()) if len(word) > 3]
    if len(user := getpass.getuser()) > 4:  # `root` is a word of prose as well
        telling.append(user)
    files = [path for path in (root / "site").rglob("*") if path.is_file()]

    assert len(files) > 100
    found = {path.name: word for path in files for word in telling if word.encode() in path.read_bytes()}
    assert found == {}
