"""Many games in a file: archives, JSON lines, gzip, datasets; and from one form into the other without a loss."""

from __future__ import annotations

import gzip
import io
import json
import tarfile
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from handful.errors import HandfulError, NotationError, RecordError
from handful.hanabi import Deal, Rules, State, variant_named
from handful.hanabi.live import load_games, write_dataset
from handful.hanabi.live.archives import StoredGame, stored_games
from handful.hanabi.live.conversion import convert, form_of, games_named
from handful.hanabi.live.datasets import about_dataset, read_dataset, record_of_row, row_of
from handful.hanabi.live.links import link_from_record
from handful.hanabi.live.records import Record, load_record
from handful.hanabi.live.translation import EndAction
from tests.players import cautious_player, play_out

REAL = Path(__file__).parent / "data" / "real_game.json"


def some_records() -> list[Record]:
    """Games with all that a record can have: notes, characters, clocks, odd rules, a starter, an end by vote."""
    deals = [
        Deal.from_seed(Rules(players=3), 4, 2),
        replace(Deal.from_seed(Rules(variant_named("Rainbow (6 Suits)"), 4), 4, 3), starter=2),
        Deal.from_seed(Rules(variant_named("Up or Down (5 Suits)"), 2), 4, 5),
        Deal.from_seed(Rules(variant_named("Black (5 Suits)"), 2, empty_hints=True, max_hints=7), 4, 4),
    ]
    played = [Record.from_state(play_out(deal, cautious_player, 7)) for deal in deals]
    begun = Record.from_state(State(deals[0]), ("x", "y", "z"))
    voted = replace(begun, ends=(EndAction(4, 1), EndAction(10, by_vote=True)), game_id=99)
    return [load_record(REAL), *played, voted]


def texts(records: list[Record]) -> list[bytes]:
    return [json.dumps(record.to_json(), ensure_ascii=False).encode() for record in records]


def read_back(path: Path) -> list[Record]:
    return [game.record() for game in stored_games(path)]


def test_json_lines_plain_and_gzipped(tmp_path: Path) -> None:
    records = some_records()
    lines = b"\n".join(texts(records)) + b"\n\n"
    (tmp_path / "a.jsonl").write_bytes(lines)
    (tmp_path / "a.ndjson.gz").write_bytes(gzip.compress(lines))
    assert read_back(tmp_path / "a.jsonl") == read_back(tmp_path / "a.ndjson.gz") == records
    assert [game.name for game in stored_games(tmp_path / "a.jsonl")][1] == f"{tmp_path / 'a.jsonl'}:2"


def test_archives(tmp_path: Path) -> None:
    records = some_records()
    with zipfile.ZipFile(tmp_path / "a.zip", "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("folder/readme.md", "no game")
        for number, text in enumerate(texts(records)):
            packed.writestr(f"folder/{number}.json", text)
        packed.writestr("more.jsonl.gz", gzip.compress(b"\n".join(texts(records))))
    assert read_back(tmp_path / "a.zip") == records * 2
    for name, mode in (("a.tar", "w"), ("a.tar.gz", "w:gz"), ("a.tgz", "w:gz")):
        with tarfile.open(tmp_path / name, mode) as packed_too:  # type: ignore[call-overload]
            for number, text in enumerate(texts(records)):
                member = tarfile.TarInfo(f"{number}.json")
                member.size = len(text)
                packed_too.addfile(member, io.BytesIO(text))
        assert read_back(tmp_path / name) == records


def test_a_folder_of_all_of_them(tmp_path: Path) -> None:
    records = some_records()
    (tmp_path / "b.json.gz").write_bytes(gzip.compress(texts(records)[1]))
    (tmp_path / "a.json").write_bytes(texts(records)[0])
    (tmp_path / "c.jsonl").write_bytes(b"\n".join(texts(records)[2:]))
    (tmp_path / "d.txt").write_text("nothing")
    assert read_back(tmp_path) == records


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("x.json.gz", b"not gzip", "cannot be read"),
        ("x.jsonl.gz", gzip.compress(b"{}" * 500, mtime=0)[:-9], "cannot be read"),
        ("x.zip", b"PK\x03\x04 and no more", "cannot be read"),
        ("x.tar", b"x" * 2000, "cannot be read"),
        ("x.tgz", b"", "cannot be read"),
        ("x.parquet", b"PAR1", "cannot be read"),
        ("x.jsonl", b"[]\n", "x.jsonl:1: "),
        ("x.json", b"\xff", "not UTF-8"),
    ],
)
def test_what_is_damaged_is_said_in_a_line(name: str, content: bytes, message: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(content)
    games = list(stored_games(tmp_path / name)) if name != "x.parquet" else []
    errors = []
    try:
        for game in games or list(stored_games(tmp_path / name)):
            game.record()
    except HandfulError as error:
        errors.append(str(error))
    assert len(errors) == 1
    assert message in errors[0]
    assert "\n" not in errors[0]


def test_a_line_without_end_is_not_taken_to_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("handful.hanabi.live.archives.MAX_RECORD_BYTES", 1000)
    (tmp_path / "x.jsonl").write_bytes(b"{" * 5000 + b"\n{}\n")
    (game,) = stored_games(tmp_path / "x.jsonl")
    assert "more than 1,000 bytes in a line" in game.error


def test_an_archive_in_an_archive_is_refused_by_name(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as packed:
        packed.writestr("inner.zip", b"PK")
    (game,) = stored_games(tmp_path / "a.zip")
    assert "inner.zip: an archive in an archive" in game.error


# Datasets


def test_a_dataset_has_all_of_a_game(tmp_path: Path) -> None:
    records = some_records()
    about = write_dataset(tmp_path / "games.parquet", records, "CC0-1.0", "our own games")
    assert (about.games, about_dataset(tmp_path / "games.parquet")) == (len(records), about)
    assert [game.record() for game in read_dataset(tmp_path / "games.parquet")] == records
    loaded = load_games(tmp_path / "games.parquet")
    assert (list(loaded), loaded.licence, loaded.source, loaded.errors) == (records, "CC0-1.0", "our own games", [])


def test_what_a_dataset_is_stays_with_it_alone(tmp_path: Path) -> None:
    write_dataset(tmp_path / "games.parquet", some_records()[:1], "CC0-1.0", "our own games")
    (tmp_path / "games.parquet.json").unlink()
    about = about_dataset(tmp_path / "games.parquet")
    assert (about.licence, about.source) == ("CC0-1.0", "our own games")


@pytest.mark.parametrize(
    ("column", "value", "message"),
    [
        ("deck", b"\0", r"deck is b'\\x00': expected 50 cards"),
        ("deck", b"\xff" * 50, "expected 50 cards of No Variant"),
        ("actions", b"\xff", "turn 1 has action 255: expected 0 to 37"),
        ("actions", b"\0", "discard"),
        ("variant", "Nothing", "there is no variant 'Nothing'"),
        ("options", "[]", "options is .* expected a JSON object"),
        ("more", "{", "more is '{': expected a JSON object"),
        ("more", '{"ends": [1]}', "more.ends is"),
        ("players", None, "0 players: expected 1 to 6"),
    ],
)
def test_a_row_that_makes_no_sense_is_refused(column: str, value: object, message: str) -> None:
    row = row_of(load_record(REAL)) | {column: value}
    with pytest.raises(HandfulError, match=message):
        record_of_row(row)


def test_a_table_of_something_else_is_refused(tmp_path: Path) -> None:
    pyarrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    parquet.write_table(pyarrow.table({"x": [1]}), tmp_path / "x.parquet")
    with pytest.raises(RecordError, match="has no column id: expected a dataset of games"):
        list(read_dataset(tmp_path / "x.parquet"))


# From one form into another


def test_from_form_to_form_without_a_loss(tmp_path: Path) -> None:
    records = some_records()
    (tmp_path / "0.jsonl").write_bytes(b"\n".join(texts(records)))
    before = tmp_path / "0.jsonl"
    for name in ("1.parquet", "2.jsonl.gz", "3", "4.jsonl"):
        found = convert(games_named(str(before)), tmp_path / name)
        assert (found.games, found.errors) == (len(records), ())
        before = tmp_path / name
    assert sorted(read_back(before), key=repr) == sorted(records, key=repr)


def test_links_hold_what_they_can(tmp_path: Path) -> None:
    records = some_records()
    games = [StoredGame(f"game {number}", made=record) for number, record in enumerate(records)]
    found = convert(games, tmp_path / "links.txt.gz")
    assert (found.form, found.games) == ("links", 3)
    assert ["cannot have" in error for error in found.errors] == [True, True, True]
    again = [game.record() for game in games_named(str(tmp_path / "links.txt.gz"))]
    assert [link_from_record(record) for record in again] == [
        link_from_record(record.bare()) for record in (records[0], records[1], records[3])
    ]


def test_a_record_holds_one_game(tmp_path: Path) -> None:
    games = [StoredGame("a", made=record) for record in some_records()]
    assert convert(games[:1], tmp_path / "a.json").games == 1
    assert load_record(tmp_path / "a.json") == some_records()[0]
    with pytest.raises(NotationError, match="holds one game, and these are 6"):
        convert(games, tmp_path / "b.json")
    assert not (tmp_path / "b.json").exists()


@pytest.mark.parametrize("name", ["x.csv", "x.parquet.gz", "x.zip", "x.gz"])
def test_other_endings_are_refused(name: str) -> None:
    with pytest.raises(NotationError, match=r"expected a name that ends in \.json"):
        form_of(Path(name))


def test_the_licence_of_lines_is_kept_beside_them(tmp_path: Path) -> None:
    convert([StoredGame("a", made=some_records()[0])], tmp_path / "a.jsonl", licence="CC BY 4.0", source="a club")
    loaded = load_games(tmp_path / "a.jsonl")
    assert (loaded.licence, loaded.source, len(list(loaded))) == ("CC BY 4.0", "a club", 1)
    assert load_games(REAL).licence == ""
    with pytest.raises(NotationError, match="no such file"):
        load_games(tmp_path / "nowhere")
    (tmp_path / "b.jsonl").write_text("{}\n")
    broken = load_games(tmp_path / "b.jsonl")
    assert (list(broken), len(broken.errors)) == ([], 1)
