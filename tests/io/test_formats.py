"""The documentation of file formats agrees with the schemas, and these with jsonschema."""

import json
import re
from pathlib import Path

import jsonschema
import pytest

from ezdl_cli.io.json_formats import SCHEMAS, load_json, validate

PAGE = Path(__file__).parents[2].joinpath("docs", "formats.md").read_text(encoding="utf-8")
EXAMPLES = [
    (name, json.loads(text)) for name, text in re.findall(r"```json (\w+)\n(.*?)```", PAGE, re.S)
]
NAMES = sorted(path.stem for path in SCHEMAS.glob("*.json"))


def schema(name):
    return json.loads((SCHEMAS / f"{name}.json").read_text(encoding="utf-8"))


def properties(part):
    """Names of all properties of a schema, at any depth."""
    if isinstance(part, list):
        return {name for one in part for name in properties(one)}
    if not isinstance(part, dict):
        return set()
    return set(part.get("properties", {})) | properties(list(part.values()))


def damaged(content):
    """Variants of JSON content, each with one value of another type or one entry less."""
    if isinstance(content, list):
        for i, value in enumerate(content):
            for other in damaged(value):
                yield [*content[:i], other, *content[i + 1 :]]
    if isinstance(content, dict):
        for name, value in content.items():
            yield {key: one for key, one in content.items() if key != name}
            for other in damaged(value):
                yield content | {name: other}
    yield from ([], {}, "text", -1.5, True, None)


@pytest.mark.parametrize("name", NAMES)
def test_schema_is_valid_and_each_field_is_documented(name):
    jsonschema.Draft7Validator.check_schema(schema(name))
    assert name in {example for example, _ in EXAMPLES}
    missing = [field for field in properties(schema(name)) if not re.search(rf"\b{field}\b", PAGE)]
    assert missing == []


@pytest.mark.parametrize(("name", "content"), EXAMPLES)
def test_examples_are_valid_and_damaged_ones_judged_as_by_jsonschema(name, content):
    reference = jsonschema.Draft7Validator(schema(name))
    assert validate(content, name) == content and reference.is_valid(content)
    for other in damaged(content):
        try:
            accepted = validate(other, name) is not None or other is None
        except ValueError:
            accepted = False
        assert accepted == reference.is_valid(other), other


def test_error_names_the_file_and_the_field(tmp_path):
    path = tmp_path / "manifest.json"
    path.write_text('{"kind": "ezdl images", "pictures": [{"file": "a.png"}]}')
    with pytest.raises(ValueError, match=r"manifest.json: .*pictures\[0\].*sha256"):
        load_json(path, "manifest")
