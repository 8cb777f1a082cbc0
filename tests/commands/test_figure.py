"""`ezdl figure`: several figures in one call."""

import pytest


@pytest.fixture
def table(run_here, tmp_path):
    assert run_here("ezdl", "projections", "auxiliary", "auxiliary.csv").returncode == 0
    return "auxiliary.csv"


def test_figures_of_one_call_are_those_of_several(run_here, table, tmp_path):
    run_here("ezdl", "figure", "auxiliary", table, "alone2.pdf")
    run_here("ezdl", "figure", "flowchart", "alone3.pdf")
    both = ("auxiliary", table, "both2.pdf", "flowchart", "both3.pdf")
    done = run_here("ezdl", "figure", *both)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    for name in (f"{n}.{kind}" for n in (2, 3) for kind in ("pdf", "png", "svg", "csv")):
        assert (tmp_path / f"both{name}").read_bytes() == (tmp_path / f"alone{name}").read_bytes()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["flowchart"], "Missing argument 'OUTPUT.pdf'"),
        (["flowchart", "a.pdf", "flowchart"], "Missing argument 'OUTPUT.pdf'"),
        (["flowchart", "a.pdf", "nothing", "b.pdf"], "there is no figure 'nothing'"),
        (["flowchart", "a.pdf", "auxiliary", "b.pdf"], "drawn from one table, but 0 were given"),
        (["flowchart", "a.pdf", "flowchart", "b.png"], "b.png"),
    ],
)
def test_nothing_is_drawn_if_any_figure_is_wrong(refused, tmp_path, arguments, message):
    assert message in refused("ezdl", "figure", *arguments)
    assert not (tmp_path / "a.pdf").exists()
