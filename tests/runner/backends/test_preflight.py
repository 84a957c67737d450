"""What the probes before an agent starts leave alone, and what they find."""

from runner.backends.preflight import WRITTEN, Probe, arrived, free_name, trials, witness


def test_a_probe_that_was_not_tried_does_not_hold():
    probe = Probe(way="direct-read", place="x", expected="denied", found="not-tried", said="")
    assert not probe.holds


def test_what_a_probe_leaves_outside_is_found_and_removed(tmp_path):
    (tmp_path / WRITTEN).write_text("")
    assert arrived({"a place": tmp_path / "witness"}, WRITTEN) == ("a place",)
    assert not (tmp_path / WRITTEN).exists()


def test_what_a_user_has_under_the_name_of_a_probe_is_neither_tried_nor_removed(tmp_path):
    witnesses = {"a place": tmp_path / "witness"}
    (tmp_path / WRITTEN).write_text("kept")
    (tmp_path / f"{WRITTEN}-2").symlink_to("nowhere")
    left = free_name(witnesses)

    assert left == f"{WRITTEN}-3"
    assert f"{tmp_path}/{WRITTEN}-3" in [trial.path for trial in trials("/own", witnesses, {"a place": "/link"}, left)]
    assert arrived(witnesses, left) == ()
    assert (tmp_path / WRITTEN).read_text() == "kept"


def test_a_folder_on_the_way_to_something_shown_is_no_witness(tmp_path):
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
    assert witness(tmp_path, [tmp_path / "a" / "python"]) == tmp_path / "b"
    assert witness(tmp_path / "a", []) is None
    assert witness(tmp_path / "absent", []) is None
