"""Examples of denoising survive being written, and damaged files are refused."""

import math
import zlib

import numpy as np
import pytest
from PIL import Image, PngImagePlugin

from ezdl_cli import io
from ezdl_cli.errors import InputError


@pytest.mark.parametrize("shape", [(5, 7), (5, 7, 3), (1, 1)])
def test_examples_are_read_as_they_were_written(tmp_path, shape):
    rng = np.random.default_rng(0)
    crops = [tuple(rng.integers(0, 256, (3, *shape), dtype=np.uint8)) for _ in range(2)]
    ratios = ((20.25, 31.5), (math.inf, 1 / 3))
    examples = [
        io.RestorationExample(level, *one)
        for level, *one in zip((2.5, 50.0), crops, ratios, strict=True)
    ]
    io.save_restoration_examples(tmp_path / "e.png", examples)
    for one, again in zip(examples, io.load_restoration_examples(tmp_path / "e.png"), strict=True):
        assert (again.setting, again.psnr) == (one.setting, one.psnr)
        assert all(map(np.array_equal, again.crops, one.crops))


TEXTS = (
    *(None, "", "no JSON", "[]", "5", "{}", "[5]", "[[1, 2]]", '[["a", 1, 2]]', "[[null, 1, 2]]"),
    *("[[1, 2, 3], [1, 2, 3], [1, 2, 3], [1, 2, 3]]", "[" * 100_000),
    f"[[1{'0' * 400}, 1, 2]]",
)


@pytest.mark.parametrize("text", TEXTS)
def test_images_with_other_texts_are_refused(tmp_path, text):
    information = PngImagePlugin.PngInfo()
    if text is not None:
        information.add_text("ezdl", text)
    Image.new("L", (9, 3)).save(tmp_path / "e.png", pnginfo=information)
    with pytest.raises(InputError, match=r"e\.png: not examples of `ezdl denoise --examples`"):
        io.load_restoration_examples(tmp_path / "e.png")


def test_other_files_and_unexpected_sizes_are_refused(tmp_path):
    (tmp_path / "text.png").write_text("no image")
    information = PngImagePlugin.PngInfo()
    information.add_text("ezdl", "[[1, 2, 3]]")
    Image.new("L", (10, 3)).save(tmp_path / "odd.png", pnginfo=information)
    Image.new("RGBA", (9, 3)).save(tmp_path / "mode.png", pnginfo=information)
    Image.new("L", (6000, 3000)).save(tmp_path / "large.png", pnginfo=information)
    content = bytearray((tmp_path / "large.png").read_bytes())
    content[16:24] = (20_000).to_bytes(4, "big") * 2  # width and height
    content[29:33] = zlib.crc32(content[12:29]).to_bytes(4, "big")
    (tmp_path / "bomb.png").write_bytes(content)
    for name in ("text", "odd", "mode", "large", "bomb"):
        with pytest.raises(InputError, match=f"{name}.png"):
            io.load_restoration_examples(tmp_path / f"{name}.png")
