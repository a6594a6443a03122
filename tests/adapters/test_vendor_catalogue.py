import pytest

from research_crawler.adapters.vendor_catalogue import load_catalogue, packaged_vendors
from research_crawler.core.config import load_core_config
from research_crawler.core.errors import ConfigError
from tests.cases import each_case

CORNER = """
[[vendor]]
name = "Corner Shop"
host = "corner.example"
search = "corner.example/find?q={query}"
"""


@pytest.fixture
def folders(tmp_path, monkeypatch):
    """RESEARCH_HOME and the working folder, which the user trusts, both empty."""
    home, work = tmp_path / "home", tmp_path / "work"
    home.mkdir()
    work.mkdir()
    monkeypatch.chdir(work)
    monkeypatch.delenv("RESEARCH_VENDORS", raising=False)
    monkeypatch.setenv("RESEARCH_TRUST_FOLDER", "1")
    return home, work


def catalogue(home, **options):
    return load_catalogue(load_core_config(home=home, **options))


def test_without_a_users_file_the_packaged_vendors_are_known(folders):
    assert list(catalogue(folders[0]).vendors) == packaged_vendors()


@pytest.mark.parametrize("place", [0, 1])
def test_a_user_adds_a_vendor_in_four_lines_and_it_is_asked_first(folders, place):
    (folders[place] / "vendors.toml").write_text(CORNER)
    known = catalogue(folders[0])
    assert known.for_region("JP")[0].search_url("tea") == "https://corner.example/find?q=tea"
    assert known.match("corner shop").host == "corner.example"
    assert len(known.vendors) == len(packaged_vendors()) + 1


def test_a_setting_names_the_file(folders, tmp_path, monkeypatch):
    monkeypatch.setenv("RESEARCH_VENDORS", str(tmp_path / "ours.toml"))
    (tmp_path / "ours.toml").write_text(CORNER)
    assert catalogue(folders[0]).match("corner.example")
    (tmp_path / "ours.toml").unlink()
    with pytest.raises(ConfigError, match=r"RESEARCH_VENDORS: there is no file .*ours\.toml"):
        catalogue(folders[0])


def test_a_users_entry_replaces_the_packaged_one_with_the_same_host(folders):
    (folders[1] / "vendors.toml").write_text(
        '[[vendor]]\nname="Newegg"\nhost="www.newegg.com"\nsearch="newegg.com/new?q={query}"\ncountry="us"'
    )
    known = catalogue(folders[0])
    assert [one.search for one in known.vendors if one.host == "newegg.com"] == [
        "https://newegg.com/new?q={query}"
    ]
    assert known.match("newegg").currency == "USD"  # of its country, where the entry names none


def test_the_working_folder_wins_over_the_home_folder(folders):
    (folders[0] / "vendors.toml").write_text(CORNER)
    (folders[1] / "vendors.toml").write_text(CORNER.replace("Corner Shop", "Nearer"))
    assert catalogue(folders[0]).match("corner.example").name == "Nearer"


def test_vendors_of_a_folder_that_nobody_trusts_are_not_read_and_the_user_is_told(folders, monkeypatch):
    monkeypatch.delenv("RESEARCH_TRUST_FOLDER")
    (folders[1] / "vendors.toml").write_text("packaged = false\n" + CORNER)
    config = load_core_config(home=folders[0])
    assert list(load_catalogue(config).vendors) == packaged_vendors()
    assert "the vendors in vendors.toml" in config.notes[0]


def test_the_packaged_vendors_can_be_left_out(folders):
    (folders[1] / "vendors.toml").write_text("packaged = false\n" + CORNER)
    assert [one.host for one in catalogue(folders[0]).vendors] == ["corner.example"]


@each_case(
    ("text", "said"),
    [
        (CORNER.replace("{query}", ""), r"vendor 1 \(Corner Shop\): search must hold \{query\}"),
        (CORNER + "colour = 'red'", r"vendor 1 \(Corner Shop\): unknown key 'colour'; known: name, host"),
        (CORNER + CORNER, "two vendors have the host corner.example"),
        (CORNER.replace("corner.example", "www.corner.example", 1) + CORNER, "two vendors have the host"),
        ("[[vendor]]\nhost = 'corner.example'", r"vendor 1 \(corner.example\): name is missing"),
        ("[[vendor]]", "vendor 1: name is missing"),
        ("vendor = 3", r"vendors are written as \[\[vendor\]\] tables"),
        ("[vendor]\nname = 'x'", r"vendors are written as \[\[vendor\]\] tables"),
        ("[[shop]]", "unknown key 'shop'"),
        ("packaged = 'no'", "packaged must be true or false"),
        ("= =", "is not valid TOML"),
        ("vendor = " + "[" * 50_000, "nested too deeply"),
        (CORNER + "country = 'Germany'", r"country 'Germany' is not a code such as DE"),
        (CORNER + CORNER.replace("corner", "second").replace("second.example/find", "corner.example/find"),
         r"vendor 2 \(Corner Shop\): search is at corner.example, which is not second.example"),
    ],
)  # fmt: skip
def test_a_bad_file_gives_one_line_that_names_file_and_entry(folders, text, said):
    (folders[1] / "vendors.toml").write_text(text)
    with pytest.raises(ConfigError, match=said) as refused:
        catalogue(folders[0])
    assert str(refused.value).startswith("vendors.toml")
    assert "\n" not in str(refused.value)


def test_the_error_names_a_file_that_cannot_be_read_as_text(folders):
    (folders[0] / "vendors.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ConfigError, match=r"home/vendors\.toml, line 1: the file is not UTF-8"):
        catalogue(folders[0])
