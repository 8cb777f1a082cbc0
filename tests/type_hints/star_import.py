"""`from ezdl_cli import *` imports the same names for mypy; see user_programs.py."""

from typing import assert_type

from ezdl_cli import *  # noqa: F403
from ezdl_cli.learn.estimators import EZDL as Expected

assert_type(EZDL(), Expected)  # noqa: F405
denoize([])  # type: ignore[name-defined]  # noqa: F405
