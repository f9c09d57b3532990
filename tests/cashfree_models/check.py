"""Says where contents are not what Cashfree's own models allow.

Standard input: a JSON list of pairs, the name of a model and a content. Standard output: a JSON
list of what is wrong with each, nothing where it fits.
"""

import json
import sys
import warnings
from types import UnionType
from typing import Any, Union, get_args, get_origin

from pydantic import BaseModel, ValidationError

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # the models are written for an older pydantic
    from cashfree_pg import models


def problems(name: str, content: Any) -> list[str]:
    """Return what is wrong with a content; a name that the model has not is wrong as well."""
    model = getattr(models, name)
    try:
        model.model_validate(content)
    except ValidationError as error:
        return [f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in error.errors()]
    return list(_unknown(model, content, ""))


def _unknown(model: type[BaseModel], content: Any, path: str) -> Any:
    names = {field.alias or name: field for name, field in model.model_fields.items()}
    for name, value in content.items():
        if name not in names:
            yield f"{path}{name}: no such field"
            continue
        inner = _model_in(names[name].annotation)
        if inner is not None and isinstance(value, dict):
            yield from _unknown(inner, value, f"{path}{name}.")


def _model_in(annotation: Any) -> type[BaseModel] | None:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    if get_origin(annotation) in {Union, UnionType}:
        return next(filter(None, map(_model_in, get_args(annotation))), None)
    return None


if __name__ == "__main__":
    json.dump([problems(*each) for each in json.load(sys.stdin)], sys.stdout)
