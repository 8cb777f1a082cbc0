"""Benchmarks of inpainting, upscaling and deblurring compare results of the same picture."""

import numpy as np
import pytest

from ezdl_cli.bench.groups.bench_restoration import CORNER, IMAGE, TASKS
from ezdl_cli.bench.groups.photographs import photograph
from ezdl_cli.restoration.quality import ssim_and_psnr

SIZE = 64


@pytest.mark.parametrize("name", TASKS)
def test_restored_picture_is_closer_to_the_original_than_those_of_peers(name):
    task = TASKS[name](SIZE)
    inside = slice(CORNER, CORNER + SIZE)
    np.testing.assert_array_equal(task.original, photograph(IMAGE)[inside, inside])
    ours = ssim_and_psnr(task.original, task.restore())[1]
    assert task.peers
    for run in task.peers.values():
        peer = ssim_and_psnr(task.original, run())[1]
        assert 25.0 < peer < ours - 0.5


@pytest.mark.parametrize("name", TASKS)
def test_crop_may_be_the_entire_photograph(name):
    assert TASKS[name](512).original.shape == (512, 512)
