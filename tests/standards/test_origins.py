"""What a site is built on does not show in it: no path, no name of the machine or its user, in any file."""

import getpass
import platform


def test_no_file_of_the_site_names_the_place_it_was_built_on(full_site, full_files):
    folder = full_site.parent
    telling = [word for word in (str(folder.parent), folder.name, platform.node()) if len(word) > 3]
    if len(user := getpass.getuser()) > 4:  # `root` is a word of prose as well
        telling.append(user)

    assert folder.name == "where-it-was-built"
    assert len(full_files) > 100
    found = {path: word for path, data in full_files.items() for word in telling if word.encode() in data}
    assert found == {}
