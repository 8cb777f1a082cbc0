"""Mutations that damage files: bytes of any file, or values inside a well-formed file.

Each function takes the content of a file and a `random.Random`, and returns the damaged content.
"""

import csv
import io
import json
import pickle
import struct
import zipfile
import zlib

import numpy as np
import yaml

NUMBERS = (0, 1, -1, 2, 7, 127, 128, 255, 256, 32767, 65535, 65536, 2**31 - 1, 2**31, 2**32 - 1)
VALUES = (
    *(None, True, False, 0, 1, -1, 2, 3.5, 1e308, -1e308, 1e-320, 10**18, -(10**30), 2**63),
    *(float("nan"), float("inf"), "", "x", "0", "nan", "a\nb", "\x00", "\u202e\x1b[2J", "../../x"),
    *("-rf", "$(touch executed)", "'; touch executed; '", "{input}", "é\ud800", "y" * 5000),
    *([], {}, [[]], {"": None}, [1, 2], [1, [2, [3]]], {"a": {"b": {"c": 1}}}, [0] * 2000),
)
CELLS = (
    *("", " ", "nan", "inf", "-inf", "0", "-1", "1e400", "1e-320", "1e308", "-1e308", "x", "0.5"),
    *("1,5", '"', "'", "=1+1", "\x00", "\x1b[2J", "é", "z" * 10_000, "\n", "1_000", "٣", "0x10"),
)


def damage(content, stream):
    """Apply one or a few mutations of bytes."""
    content = bytearray(content)
    for _ in range(stream.choice((1, 1, 1, 2, 3, 8))):
        content = stream.choice(BLIND)(content, stream)
    return bytes(content)


def _position(content, stream):
    """Return a random position; often near the beginning, where headers are."""
    return stream.randrange(min(len(content), stream.choice((64, 256, 1 << 40))) or 1)


def _flip(content, stream):
    for _ in range(stream.randint(1, 8) if content else 0):
        content[_position(content, stream)] ^= 1 << stream.randrange(8)
    return content


def _overwrite(content, stream):
    position, number = _position(content, stream), stream.choice(NUMBERS)
    code = stream.choice("<> ").strip() + stream.choice("bhiq")
    size = struct.calcsize(code)
    content[position : position + size] = struct.pack(code.upper(), number % (1 << 8 * size))
    return content


def _cut(content, stream):
    return content[: _position(content, stream)]


def _drop(content, stream):
    position = _position(content, stream)
    del content[position : position + stream.choice((1, 2, 4, 16, 200))]
    return content


def _repeat(content, stream):
    position, size = _position(content, stream), stream.choice((1, 4, 64, 1000))
    content[position:position] = content[position : position + size] * stream.choice((1, 2, 50))
    return content


def _blank(content, stream):
    position, size = _position(content, stream), stream.choice((1, 4, 16, 256))
    content[position : position + size] = bytes([stream.choice((0, 255, 32))]) * size
    return content


def _insert(content, stream):
    position = _position(content, stream)
    content[position:position] = stream.randbytes(stream.randint(1, 40))
    return content


def _append(content, stream):
    return content + stream.randbytes(stream.choice((1, 100, 5000)))


def _swap(content, stream):
    half = _position(content, stream)
    return content[half:] + content[:half]


def _empty(content, stream):
    return bytearray()


BLIND = (*(_flip, _overwrite) * 4, _cut, _cut, _drop, _repeat, _blank, _insert, _append, _swap)
BLIND = (*BLIND * 3, _empty)


def damage_png(content, stream):
    """Damage a chunk of a PNG and correct its checksum, so that decoders parse it."""
    chunks, start = [], 8
    while start + 12 <= len(content):
        (length,) = struct.unpack(">I", content[start : start + 4])
        name, data = content[start + 4 : start + 8], content[start + 8 : start + 8 + length]
        chunks.append((name, data))
        start += 12 + length
    number = stream.randrange(len(chunks))
    name, data = chunks[number]
    if name == b"IDAT" and stream.random() < 0.7:  # the decompressed data, in a single chunk
        packed = b"".join(data for name, data in chunks if name == b"IDAT")
        data = zlib.compress(damage(zlib.decompress(packed), stream))
        chunks = [chunk for i, chunk in enumerate(chunks) if chunk[0] != b"IDAT" or i == number]
        number = next(i for i, chunk in enumerate(chunks) if chunk[0] == b"IDAT")
    else:
        data = damage(data, stream)
    chunks[number] = (name, data)
    if stream.random() < 0.1:
        stream.shuffle(chunks)
    return content[:8] + b"".join(
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
        for name, data in chunks
    )


def damage_json(content, stream):
    """Replace a value."""
    text = json.dumps(_other(json.loads(content), stream))
    if stream.random() < 0.05:
        text = text.replace("1", stream.choice(("1" * 5000, "[" * 3000, "1e999")), 1)
    return text.encode("utf-8", "surrogatepass")


def damage_lines(content, stream):
    """Replace a value in one of several lines of JSON."""
    lines = content.splitlines(keepends=True)
    number = stream.randrange(len(lines))
    lines[number] = damage_json(lines[number], stream) + b"\n"
    return b"".join(lines)


def _other(value, stream, chance=0.25):
    """Return a copy of a tree with one node changed, removed or renamed."""
    if not isinstance(value, list | dict) or not value or stream.random() < chance:
        return stream.choice(VALUES)
    if isinstance(value, list):
        value = list(value)
        number = stream.randrange(len(value))
        if stream.random() < 0.1:
            return value[:number] + value[number:] * stream.choice((0, 2, 100))
        value[number] = _other(value[number], stream, chance)
        return value
    value = dict(value)
    name = stream.choice(list(value))
    if stream.random() < 0.15:
        value[stream.choice(("", "x", name.upper(), "é" * 300))] = value.pop(name)
    elif stream.random() < 0.1:
        del value[name]
    else:
        value[name] = _other(value[name], stream, chance)
    return value


def damage_yaml(content, stream):
    """Replace a value of a profile, or insert YAML that is dangerous to load."""
    text = yaml.safe_dump(_other(yaml.safe_load(content), stream), allow_unicode=True)
    if stream.random() < 0.3:
        text = stream.choice(DANGEROUS).replace("REST", text)
    return text.encode("utf-8", "surrogatepass")


DANGEROUS = (
    "x: !!python/object/apply:os.system ['touch executed']\nREST",
    "!!python/object/new:os.system ['touch executed']",
    "images: !!python/object/apply:subprocess.check_output [['touch', 'executed']]\nREST",
    "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
    + "".join(f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]\n" for i in range(1, 30))
    + "images: *a9\nREST",
    "images: &a [*a]\nREST",
    "images: &b {x: &a [1, 2], y: *a}\nprofile: *a\nREST",
    "images: &b {x: *b}\nREST",
    "<<: &a {<<: *a}\nREST",
    "[" * 5000,
    "- " * 3000,
    "images: '$(touch executed)'\nREST",
    "images: \"'; touch executed; '\"\nREST",
    "images: '`touch executed`'\nREST",
    "images: |\n  a\n  b\nREST",
    "%YAML 9.9\n---\nREST",
    "---\nREST\n---\nREST",
    "\tREST",
    "? [a, b]\n: c\nREST",
    "2026-01-01: x\nREST",
    "0x10: x\n1e5: y\nnull: z\nREST",
    "__use_yte__: true\nimages: ?open('executed', 'w').name\nREST",
)


def damage_table(content, stream):
    """Change cells, rows or columns of a CSV table."""
    rows = list(csv.reader(io.StringIO(content.decode())))
    row, column = stream.randrange(len(rows)), stream.randrange(len(rows[0]))
    way = stream.randrange(8)
    if way == 0:
        rows = [cells[:column] + cells[column + 1 :] for cells in rows]
    elif way == 1:
        rows = rows[: stream.choice((1, 2, 3))]
    elif way == 2:
        for cells in rows[1:]:
            cells[column] = stream.choice((cells[column], *CELLS[:13]))
    elif way == 3:
        rows[1:] = [rows[0][:0] + [stream.choice(CELLS)] * len(rows[0]) for _ in rows[1:]]
    elif way == 4:
        rows = [rows[0], *rows[1:] * 20]
    elif way == 5:
        same = stream.choice(CELLS)
        rows[1:] = [[*cells[:column], same, *cells[column + 1 :]] for cells in rows[1:]]
    else:
        for _ in range(stream.choice((1, 1, 3))):
            rows[row][column] = stream.choice(CELLS)
    out = io.StringIO()
    csv.writer(out, lineterminator=stream.choice(("\n", "\r\n"))).writerows(rows)
    return out.getvalue().encode()


class _Evil:
    """Object that creates a file when it is unpickled."""

    def __reduce__(self):
        return open, ("executed", "w")


def damage_array(content, stream):
    """Change the type, the shape or the numbers of an .npy file."""
    return _npy(_changed(np.load(io.BytesIO(content)), stream), stream)


def damage_npz(content, stream):
    """Change one array of an .npz file, or its `meta`, and write a valid archive."""
    with np.load(io.BytesIO(content), allow_pickle=False) as file:
        arrays = {name: file[name] for name in file.files}
    name = stream.choice(list(arrays))
    if stream.random() < 0.1:
        del arrays[name]
    elif arrays[name].dtype.kind == "U" and stream.random() < 0.9:
        meta = damage_json(str(arrays[name]), stream).decode("utf-8", "replace")
        arrays[name] = np.array(meta)
    else:
        arrays[name] = _changed(arrays[name], stream)
    out = io.BytesIO()
    packing = stream.choice((0, 0, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA))
    with zipfile.ZipFile(out, "w", packing) as archive:
        for key, array in arrays.items():
            archive.writestr(f"{key}.npy", _npy(array, stream))
    return out.getvalue()


def _npy(array, stream):
    """Return the content of an .npy file, sometimes with a wrong shape in the header."""
    out = io.BytesIO()
    if array.dtype.hasobject:
        out.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", 118))
        header = f"{{'descr': '|O', 'fortran_order': False, 'shape': {array.shape}, }}"
        out.write(header.ljust(117).encode() + b"\n" + pickle.dumps(_Evil()))
        return out.getvalue()
    np.lib.format.write_array(out, array, version=stream.choice(((1, 0), (1, 0), (2, 0), (3, 0))))
    content = out.getvalue()
    if stream.random() < 0.25:
        shape = str(array.shape).encode()
        lie = stream.choice(
            (b"(%d, 64)" % 10**11, b"(-1, 64)", b"(-64, -1)", b"()", b"(0,)", b"(2, 3, 4, 5)")
        )
        content = content.replace(shape, lie.ljust(len(shape)), 1)
    return content


def _changed(array, stream):
    """Return an array with another type, shape, order or values."""
    way = stream.randrange(6)
    if way == 0:
        kinds = (
            "f2",
            ">f4",
            "f8",
            ">f8",
            "g",
            "c8",
            "?",
            "i1",
            "u8",
            ">i4",
            "U3",
            "S2",
            "O",
            "M8[s]",
        )
        kind = stream.choice((*kinds, "V4", [("a", "f4"), ("b", "i2")]))
        try:
            return array.astype(kind)
        except (TypeError, ValueError):
            return np.zeros(array.shape, kind)
    if way == 1:
        shapes = ((0, array.shape[-1] if array.ndim else 1), (-1,), (1, -1), (-1, 1), (1, 1, -1))
        shape = stream.choice(shapes)
        return np.zeros(shape, array.dtype) if 0 in shape else array.reshape(shape)
    if way == 2 and array.ndim == 2:
        return stream.choice(
            (array.T, array[:1], array[:, :1], array[::-1, ::2], array[:2], array * 0)
        )
    if way == 3 and array.dtype.kind == "f" and array.size:
        values = (np.nan, np.inf, -np.inf, 1e30, 1e38, 1e-38, 1e-45, -0.0, 1e20)
        array = array.copy()
        array.flat[stream.randrange(array.size)] = stream.choice(values)
        return array
    if way == 4 and array.dtype.kind == "f":
        return (array.astype(float) * stream.choice((1e30, 1e-30, 1e-42, 0.0, -1.0, 7.0))).astype(
            array.dtype
        )
    return np.asfortranarray(array) if stream.random() < 0.5 else np.ones_like(array)
