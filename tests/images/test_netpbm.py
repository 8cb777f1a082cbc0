"""Netpbm files of all kinds, against what was written and against Pillow."""

import io

import numpy as np
import pytest
from PIL import Image

from ezdl_cli.errors import InputError
from ezdl_cli.images import netpbm
from ezdl_cli.images.decoding import decode

RNG = np.random.default_rng(0)
HEIGHT, WIDTH = 9, 13


def content_of(kind, values, largest):
    """A file of a kind, 1 … 6."""
    size = b"P%d # a comment\n%d\t%d" % (kind, values.shape[1], values.shape[0])
    if kind in (1, 4):
        plain = "\n".join("".join(map(str, row)) for row in values).encode()
        return size + b"\n" + (plain if kind == 1 else np.packbits(values, axis=1).tobytes())
    start = size + b" %d\n" % largest
    if kind < 4:
        return start + b"# another\n" + " ".join(map(str, values.flat)).encode()
    return start + values.astype(">u2" if largest > 255 else np.uint8).tobytes()


def random_values(kind, largest):
    shape = (HEIGHT, WIDTH, 3) if kind in (3, 6) else (HEIGHT, WIDTH)
    return RNG.integers(0, 2 if kind in (1, 4) else largest + 1, shape)


@pytest.mark.parametrize("kind", [2, 3, 5, 6])
@pytest.mark.parametrize("largest", [1, 100, 255, 256, 1000, 65535])
def test_values_are_scaled_to_8_or_16_bits(kind, largest):
    values = random_values(kind, largest)
    white = 255 if largest < 256 else 65535
    expected = np.rint(values / largest * white).astype(np.uint8 if white == 255 else np.uint16)
    found = decode(content_of(kind, values, largest))
    np.testing.assert_array_equal(found.values, expected, strict=True)
    assert found.alpha is None and found.values.flags.writeable


@pytest.mark.parametrize("kind", [1, 4])
def test_bits_are_black_on_white(kind):
    values = random_values(kind, 1)
    found = decode(content_of(kind, values, None)).values
    np.testing.assert_array_equal(found, (255 * (1 - values)).astype(np.uint8), strict=True)


@pytest.mark.parametrize("kind", range(1, 7))
@pytest.mark.parametrize("largest", [7, 255])
def test_values_of_8_bits_are_those_of_pillow(kind, largest):
    content = content_of(kind, random_values(kind, largest), largest)
    with Image.open(io.BytesIO(content)) as image:
        expected = np.asarray(image.convert("RGB" if kind in (3, 6) else "L"))
    np.testing.assert_array_equal(decode(content).values, expected)


@pytest.mark.parametrize("kind", range(1, 7))
def test_truncated_files_are_refused(kind):
    content = content_of(kind, random_values(kind, 255), 255)
    with pytest.raises(InputError, match="truncated"):
        decode(content[:-4])


@pytest.mark.parametrize(
    "content",
    [
        *(b"P2 2 1 9\n1 10", b"P2 2 1 9\n1 -1", b"P2 2 1 9\n1 x", b"P1 2 1\n1 2", b"P2 1 1 9\n"),
        *(b"P5 2 1 0\n12", b"P5 2 1 65536\n1234", b"P5 2 1\n12", b"P7 2 1 255\n12", b"P5 2 1 255"),
    ],
)
def test_malformed_files_are_refused(content):
    with pytest.raises(InputError):
        decode(content)


def test_plain_files_have_a_limit(monkeypatch):
    content = b"P2 3 1 9\n1 2 3"
    assert decode(content).values.shape == (1, 3)
    monkeypatch.setattr(netpbm, "MAX_TEXT", 4)
    with pytest.raises(InputError, match="limit"):
        decode(content)
