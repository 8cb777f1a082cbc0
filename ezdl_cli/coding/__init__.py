"""Sparse codes for a fixed dictionary: inference models of EZDL, lasso, ORMP, Landweber iterations;
and filter responses of images.

Symbols are those of the paper, see `ezdl_cli.core`.
"""
