"""The examples of an OpenAPI description, as requests."""

from typing import Any, NamedTuple

Schema = dict[str, Any]


class Example(NamedTuple):
    """A request built from an operation's examples, and the documented status of success."""

    path_parameters: dict[str, str]
    query: dict[str, str]
    body: Any
    status: int


def example_of(description: Schema, method: str, path: str) -> Example:
    """Return the first example of each parameter and of the body, and the status of success.

    A body without an example is built from the examples of its members.
    """
    operation = description["paths"][path][method.lower()]
    values = {
        (each["in"], each["name"]): each["schema"]["examples"][0]
        for each in operation.get("parameters", [])
        if "examples" in each["schema"]
    }
    contents = operation.get("requestBody", {}).get("content", {})
    schema = next((content["schema"] for content in contents.values()), None)
    return Example(
        {name: str(value) for (location, name), value in values.items() if location == "path"},
        {name: str(value) for (location, name), value in values.items() if location == "query"},
        _body(description, schema) if schema else None,
        min(map(int, operation["responses"])),
    )


def _body(description: Schema, schema: Schema) -> Any:
    if name := schema.get("$ref"):
        schema = description["components"]["schemas"][name.rpartition("/")[2]]
    if "examples" in schema:
        return schema["examples"][0]
    members = schema["properties"].items()
    return {name: member["examples"][0] for name, member in members if "examples" in member}
