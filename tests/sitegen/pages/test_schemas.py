"""The field reference says everything that the schemas say, and links every record that a field holds."""

import html
import json
import re
from pathlib import Path

import pytest

from runner.contract.schemas import schemas
from sitegen.catalog import read_catalogs
from sitegen.pages.page import Link
from sitegen.pages.schema_fields import SHAPE, WORDED, Reader
from sitegen.pages.schemas import FILES, schema_files

CATALOGS = read_catalogs()
ROOT = Path(__file__).parents[3]
SCHEMAS = {file.removesuffix(".json"): json.loads(data) for file, data in schemas().items()}

RECORD = {"type": "object", "properties": {}}


def reader(schema, language: str = "en") -> Reader:
    return Reader(schema, "en/schemas/x.html", CATALOGS[language])


def words(phrase) -> str:
    """A type as a reader reads it."""
    return "".join(piece.words if isinstance(piece, Link) else str(piece) for piece in phrase)


def said(constraints) -> list[str]:
    return [" ".join((item.words, *item.codes)) for item in constraints]


def field(node, *, language: str = "en", **definitions):
    """The one field of a record that holds `node`."""
    schema = {"type": "object", "properties": {"it": node}, "required": ["it"], "$defs": definitions}
    return reader(schema, language).records("root")[0].fields[0]


def test_every_schema_has_a_page_and_says_which_file_it_describes():
    assert FILES.keys() == SCHEMAS.keys()


@pytest.mark.parametrize("name", SCHEMAS)
def test_every_field_of_every_record_is_told_with_its_meaning(name):
    schema = SCHEMAS[name]
    told = {record.name: record for record in reader(schema).records(name)}

    assert told.keys() == {name, *schema.get("$defs", {})}
    for record, node in {name: schema, **schema.get("$defs", {})}.items():
        assert told[record].meaning == node.get("description", "")
        rows = {row.name: row for row in told[record].fields}
        assert rows.keys() == node.get("properties", {}).keys()
        for key, item in node.get("properties", {}).items():
            assert rows[key].required == (key in node.get("required", ()))
            assert rows[key].meaning == item.get("description", "")
            assert words(rows[key].type)


@pytest.mark.parametrize("name", SCHEMAS)
def test_no_keyword_of_a_schema_is_passed_over(name):
    def keywords(node):
        yield from node.keys()
        for key in ("properties", "$defs", "patternProperties"):
            for item in node.get(key, {}).values():
                yield from keywords(item)
        for key in ("oneOf", "anyOf"):
            for item in node.get(key, ()):
                yield from keywords(item)
        for key in {"items", "propertyNames"} & node.keys():
            yield from keywords(node[key])

    assert set(keywords(SCHEMAS[name])) <= SHAPE | WORDED


def test_a_keyword_that_nobody_worded_is_shown_as_it_stands():
    assert said(field({"type": "integer", "multipleOf": 5}).constraints) == ["multipleOf 5"]


@pytest.mark.parametrize(
    ("node", "kind", "constraints"),
    [
        ({"type": "string", "minLength": 1, "maxLength": 4000}, "text", ["1 to 4,000 characters"]),
        ({"type": "integer", "minimum": 0, "maximum": 2**53 - 1}, "whole number", ["0 or more"]),
        ({"type": "integer", "minimum": 1, "maximum": 9}, "whole number", ["1 to 9"]),
        ({"type": "boolean", "default": False}, "true or false", ["if left out: false"]),
        ({"type": "string", "default": ""}, "text", ['if left out: ""']),
        ({"type": "string", "const": "x", "default": "x"}, "text", ["always x"]),
        ({"enum": ["a", "b"], "type": "string"}, "text", ["one of a b"]),
        (
            {"type": "array", "minItems": 1, "items": {"type": "string", "pattern": "^a$"}},
            "list of text",
            ["not fewer items than 1", "each: matches ^a$"],
        ),
        ({"anyOf": [{"type": "string", "maxLength": 9}, {"type": "null"}]}, "text or null", ["at most 9 characters"]),
        (
            {"type": "object", "patternProperties": {"^A$": {"type": "integer", "minimum": 3}}},
            "object whose values are whole number",
            ["each key matches ^A$", "each value: 3 or more"],
        ),
        (
            {"type": "object", "patternProperties": {"^A$": {"type": "string"}}, "propertyNames": {"maxLength": 200}},
            "object whose values are text",
            ["each key matches ^A$", "each key: at most 200 characters"],
        ),
        (
            {"oneOf": [{"type": "string", "maxLength": 9}, {"type": "integer", "minimum": 2}]},
            "text or whole number",
            ["at most 9 characters", "2 or more"],
        ),
    ],
)
def test_types_and_constraints_are_told_in_plain_words(node, kind, constraints):
    row = field(node)

    assert words(row.type) == kind
    assert said(row.constraints) == constraints


def test_what_can_be_one_of_several_records_links_each_and_says_what_tells_them_apart():
    one_of = [{"$ref": "#/$defs/A"}, {"$ref": "#/$defs/B"}]
    row = field({"oneOf": one_of, "discriminator": {"propertyName": "kind", "mapping": {}}}, A=RECORD, B=RECORD)

    assert words(row.type) == "A or B"
    assert [piece.target for piece in row.type if isinstance(piece, Link)] == [
        "en/schemas/x.html#schema.A",
        "en/schemas/x.html#schema.B",
    ]
    assert said(row.constraints) == ["told apart by kind"]


def test_a_record_says_everywhere_that_it_stands():
    told = {record.name: record for record in reader(SCHEMAS["run"]).records("run")}

    assert told["Tally"].places == (
        "/analysis/arms/*/tally",
        "/analysis/features/*/tally",
        "/analysis/cells/*/tally",
        "/tally",
    )
    assert told["run"].places == ()


def test_a_record_that_contains_itself_ends():
    node = {"type": "object", "properties": {"inner": {"$ref": "#/$defs/A"}}}
    schema = {"$ref": "#/$defs/A", "$defs": {"A": node}}

    assert reader(schema).records("root")[1].places == ("", "/inner")


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_chinese_page_marks_each_meaning_as_english(site, name):
    page = site[f"zh/schemas/{name}.html"]
    meanings = {
        item["description"]
        for node in (SCHEMAS[name], *SCHEMAS[name].get("$defs", {}).values())
        for item in node.get("properties", {}).values()
        if "description" in item
    }

    told = {
        html.unescape(re.sub("<[^>]+>", "", cell))
        for cell in re.findall(r'<td class="wide" lang="en">(.*?)</td>', page, re.DOTALL)
    }
    assert told == {meaning.replace("`", "") for meaning in meanings}
    assert "原文为英文" in page
    assert "<td>text" not in page


def test_the_schemas_in_the_site_are_those_of_the_repository():
    files = schema_files()

    assert len(files) == len(FILES)
    for path, data in files.items():
        assert (ROOT / "runner/contract/schema" / Path(path).name).read_bytes() == data
