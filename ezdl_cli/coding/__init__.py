"""Sparse codes for a fixed dictionary: inference models of EZDL, lasso, ORMP, Landweber iterations.

Symbols are those of the paper, see `ezdl_cli.core`.
"""
