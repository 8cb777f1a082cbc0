"""Which options of Snakemake ask for its own output, and which for all results."""

import pytest
from snakemake.cli import get_argument_parser

from ezdl_cli.workflow.run_view.snakemake_options import PRINTING, SELECTING, parse_wishes


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
        ("--bogus", True, False),
    ],
)
def test_options(options, output, all_results, capsys):
    assert parse_wishes(options.split()) == (output, all_results)
    assert capsys.readouterr() == ("", "")


def test_all_options_exist():
    assert set(PRINTING + SELECTING) <= set(vars(get_argument_parser().parse_args([])))
