"""Which options of Snakemake ask for its own output, and which for all results."""

import pytest
from snakemake.cli import get_argument_parser

from ezdl_cli.errors import InputError
from ezdl_cli.workflow.run_view.snakemake_options import PRINTING, SELECTING, parse_options


@pytest.mark.parametrize(
    ("options", "output", "all_results"),
    [
        ("", False, True),
        ("--forcerun claims", False, True),
        ("--config value=2", False, True),
        ("a.txt", False, False),
        ("--until train", False, False),
        ("-n", True, True),
        ("-Fn", True, True),
        ("--dag", True, True),
        ("--summary", True, True),
        ("--executor local", True, True),
        ("--help", True, False),
    ],
)
def test_options(options, output, all_results, capsys):
    assert parse_options(options.split())[:2] == (output, all_results)
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("options", "keep_going", "cores"),
    [
        ("", False, None),
        ("--keep-going", True, None),
        ("-k -c 8", True, 8),
    ],
)
def test_options_that_the_view_depends_on(options, keep_going, cores):
    parsed = parse_options(options.split())
    assert (parsed.keep_going, parsed.cores) == (keep_going, cores)


@pytest.mark.parametrize("options", ["--bogus", "--until", "--cores 2 --bogus"])
def test_wrong_options_are_one_line(options, capsys):
    with pytest.raises(InputError, match=r"^options of Snakemake after --: .+") as error:
        parse_options(options.split())
    assert "usage" not in str(error.value) and capsys.readouterr() == ("", "")


def test_all_options_exist():
    assert set(PRINTING + SELECTING) <= set(vars(get_argument_parser().parse_args([])))
