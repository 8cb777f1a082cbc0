"""Insert the keys of the configuration, from its schema, into reference/configuration.md."""

from pathlib import Path

import yaml

KEYS = "<!-- keys of the configuration -->"


def on_page_markdown(markdown, page, config, **_):
    """Replace the mark by a section for each part of the configuration."""
    if page.file.src_uri != "reference/configuration.md":
        return markdown
    root = Path(config.config_file_path).parent
    schema = yaml.safe_load((root / "config" / "schema.yaml").read_text(encoding="utf-8"))
    parts, keys = [], []
    for name, rule in schema["properties"].items():
        if "properties" not in rule:
            keys.append(_key(name, rule))
            continue
        parts.append(f"## `{name}`\n\n{rule['description']}")
        parts += [_key(key, value) for key, value in rule["properties"].items()]
    return markdown.replace(KEYS, "\n\n".join(keys + parts))


def _key(name, rule):
    """Return a key with its description, type and default as an entry of a definition list."""
    default = rule.get("default")
    shown = f" *Default:* `{_yaml(default)}`." if default is not None else ""
    return f"`{name}`\n:   {rule['description']} *{_values(rule)}.*{shown}"


def _values(rule):
    """Return what a value may be, in words."""
    if "enum" in rule:
        return "One of " + ", ".join(f"`{_yaml(value)}`" for value in rule["enum"])
    if rule.get("type") == "array":
        inner = _values(rule["items"])
        return "List: " + inner[0].lower() + inner[1:]
    limits = {
        "minimum": "≥",
        "exclusiveMinimum": ">",
        "maximum": "≤",
        "exclusiveMaximum": "<",
    }
    bounds = [f"{sign} {rule[key]}" for key, sign in limits.items() if key in rule]
    names = {"integer": "Integer", "number": "Number", "string": "Text", "boolean": "True or false"}
    return " ".join([names[rule["type"]], " and ".join(bounds)]).strip()


def _yaml(value):
    """Return a value as it is written in a profile."""
    return yaml.safe_dump(value, default_flow_style=True, width=1000).removesuffix("...\n").strip()
