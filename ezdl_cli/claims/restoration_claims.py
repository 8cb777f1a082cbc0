"""The paper's prediction for other restoration tasks (section 5), which it does not test."""

from .claim import Missing


def super_resolution(evidence):
    raise Missing("this version has no command for super-resolution")


def deblurring(evidence):
    raise Missing("this version has no command for deblurring")


def inpainting(evidence):
    raise Missing("this version has no command for inpainting")


CHECKS = {"X1": super_resolution, "X2": deblurring, "X3": inpainting}
