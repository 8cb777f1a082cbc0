"""`ezdl projections`."""

import pytest

from ezdl_cli import io

EVALUATIONS = "n,sparseness,seed,solver,vectors,mean,standard_deviation,low,high,mean_with_zero"
EVALUATIONS += ",minus_bisection,minus_bisection_deviation,minus_newton_sqr"
EVALUATIONS += ",minus_newton_sqr_deviation,bound_violations,bound_vectors"
SPEEDUPS = "n,sparseness,initial_sparseness,seed,style,algorithm,seconds,speedup,passes,extra_mib"
PROPERTIES = "n,sparseness,seed,vectors,sparseness_violations,order_violations,offset_violations"
GRADIENT = "n,sparseness,seed,seconds,relative_error,vectors"


@pytest.mark.parametrize(
    ("arguments", "header", "n_rows"),
    [
        ("evaluations --exponents 2:3 --vectors 3", EVALUATIONS, 8),
        ("speedups --exponents 2:3 --repeats 1", SPEEDUPS, 18),
        ("properties --vectors 500", PROPERTIES, 48),
        ("gradient --exponents 6:9 --repeats 1", GRADIENT, 4),
    ],
)
def test_tables_have_the_documented_columns(run, tmp_path, arguments, header, n_rows):
    name, *options = arguments.split()
    done = run("ezdl", "projections", name, "t.csv", *options, "--seed", "2", "--quiet")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    table = io.load_table(tmp_path / "t.csv")
    assert ",".join(table) == header
    assert len(table["n"]) == n_rows and set(table["seed"]) == {2}


@pytest.mark.parametrize("name", ["evaluations", "speedups"])
def test_figures_can_be_drawn_from_the_tables(run, tmp_path, name):
    done = run("ezdl", "projections", name, "t.csv", "--exponents", "2:3", "--quiet")
    assert done.returncode == 0, done.stderr
    done = run("ezdl", "figure", name, "t.csv", "f.pdf")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "f.png").stat().st_size > 1000
