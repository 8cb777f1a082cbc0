"""Tables are read as they were written, and damaged ones are refused."""

import tracemalloc

import numpy as np
import pytest

from ezdl_cli import io
from ezdl_cli.errors import InputError
from ezdl_cli.io import tables


def test_tables_come_back_with_all_digits(tmp_path):
    numbers = [0.1 + 0.2, 1e-300, -7.0, np.nan]
    table = {"name": ["a", "b,c", 'd"e', ""], "number": numbers, "count": [1, 2, 3, 4]}
    io.save_table(tmp_path / "t.csv", table)
    back = io.load_table(tmp_path / "t.csv")
    assert list(back) == list(table)
    assert back["name"].tolist() == table["name"]
    np.testing.assert_array_equal(back["number"], numbers)


def test_integers_of_any_size_are_written_exactly(tmp_path):
    io.save_table(tmp_path / "t.csv", {"seed": [10**400, np.int64(7), 2**63], "b": [True, 1, 0]})
    lines = (tmp_path / "t.csv").read_text().split()
    assert lines == ["seed,b", f"{10**400},1", "7,1", f"{2**63},0"]


def test_byte_order_mark_is_not_part_of_the_first_column(tmp_path):
    (tmp_path / "t.csv").write_text("a,b\n1,2\n", encoding="utf-8-sig")
    assert list(io.load_table(tmp_path / "t.csv", numbers=["a", "b"])) == ["a", "b"]


def test_columns_of_unequal_length_are_refused(tmp_path):
    with pytest.raises(ValueError):
        io.save_table(tmp_path / "t.csv", {"a": [1], "b": [1, 2]})
    assert list(tmp_path.iterdir()) == []


def test_missing_column_is_named(tmp_path):
    io.save_table(tmp_path / "t.csv", {"a": [1]})
    with pytest.raises(InputError, match="no column b"):
        io.load_table(tmp_path / "t.csv", numbers=["a", "b"])


def test_column_with_a_late_string_keeps_its_cells_as_written(tmp_path, monkeypatch):
    monkeypatch.setattr(tables, "CHUNK_ROWS", 2)
    cells = {"late": "1.50,2,3,,x", "gaps": "1,2,,,5", "empty": ",,,,", "words": ",,a,,b"}
    rows = zip(*(column.split(",") for column in cells.values()), strict=True)
    text = "\n".join([",".join(cells), *map(",".join, rows)])
    (tmp_path / "t.csv").write_text(text)
    table = io.load_table(tmp_path / "t.csv")
    assert table["late"].tolist() == ["1.50", "2", "3", "", "x"]
    np.testing.assert_array_equal(table["gaps"], [1, 2, np.nan, np.nan, 5])
    assert table["empty"].tolist() == [""] * 5 and table["words"].tolist() == ["", "", "a", "", "b"]


@pytest.mark.parametrize("last", ["1", "1,2,3"])
def test_row_of_another_length_is_refused(tmp_path, monkeypatch, last):
    monkeypatch.setattr(tables, "CHUNK_ROWS", 2)
    (tmp_path / "t.csv").write_text("a,b\n" + "1,2\n" * 4 + last)
    with pytest.raises(InputError, match="every row must have 2 cells"):
        io.load_table(tmp_path / "t.csv")


def test_long_string_does_not_enlarge_the_others(tmp_path):
    (tmp_path / "t.csv").write_text("a,b\n" + "x" * 100_000 + ",1\n" + "y,2\n" * 20_000)
    tracemalloc.start()
    table = io.load_table(tmp_path / "t.csv")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert table["a"].tolist() == ["x" * 100_000, *["y"] * 20_000]
    assert peak < 20 << 20


def test_endless_line_is_refused_before_it_is_read(tmp_path):
    with open(tmp_path / "t.csv", "wb") as stream:
        stream.write(b"a,b\n")
        stream.truncate(1 << 40)  # zeros, which take no space
    with pytest.raises(InputError, match="a line of"):
        io.load_table(tmp_path / "t.csv")
    (tmp_path / "t.csv").rename(tmp_path / "t.tsv")
    assert io.load_step_time(tmp_path / "t.tsv") is None
    with pytest.raises(InputError, match="larger than"):
        io.read_whole(tmp_path / "t.tsv")


def test_duplicate_columns_are_refused(tmp_path):
    (tmp_path / "t.csv").write_text("a,a\n1,2\n")
    with pytest.raises(InputError, match="different names"):
        io.load_table(tmp_path / "t.csv")


def test_column_that_is_empty_in_one_table_joins_numbers_as_nan(tmp_path):
    io.save_table(tmp_path / "a.csv", {"x": [0.0, 0.0], "y": [1, 2]})
    io.save_table(tmp_path / "b.csv", {"x": [np.nan], "y": [3]})
    table = io.load_tables([tmp_path / "a.csv", tmp_path / "b.csv"], numbers=["y"])
    np.testing.assert_array_equal(table["x"], [0.0, 0.0, np.nan])


def test_columns_added_later_are_filled_in(tmp_path):
    io.save_table(tmp_path / "old.csv", {"y": [1.0, 2.0]})
    io.save_table(tmp_path / "new.csv", {"y": [3.0], "channels": [3], "noisy": ["8-bit"]})
    old, new = tmp_path / "old.csv", tmp_path / "new.csv"
    assert set(io.load_tables([old])) == {"y"}
    for paths in ((old, new), (new, old)):
        table = io.load_tables(paths, numbers=["y"])
        rows = {y: (table["channels"][i], table["noisy"][i]) for i, y in enumerate(table["y"])}
        assert rows == {1.0: (1.0, "float"), 2.0: (1.0, "float"), 3.0: (3.0, "8-bit")}
    io.save_table(tmp_path / "longer.csv", {"y": [3.0], "samples_per_epoch": [30_000]})
    table = io.load_tables([old, tmp_path / "longer.csv"])
    np.testing.assert_array_equal(table["samples_per_epoch"], [np.nan, np.nan, 30_000])
    io.save_table(tmp_path / "other.csv", {"y": [3.0], "unknown": [3]})
    with pytest.raises(InputError, match="columns differ"):
        io.load_tables([old, tmp_path / "other.csv"])
