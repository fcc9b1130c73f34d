"""Prints "valid", or where and why not, for each file: usage: schema_test.py SCHEMA FILE..."""
import json
import sys

import jsonschema



def unique(members):
    """An object; Python would keep the last member of each name."""
    names = [name for name, _ in members]
    assert len(set(names)) == len(names), f"{sys.argv[1]}: an object has a name twice: {names}"
    return dict(members)


with open(sys.argv[1]) as file:
    schema = json.load(file, object_pairs_hook=unique)
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(schema)
for path in sys.argv[2:]:
    with open(path) as file:
        error = next(validator.iter_errors(json.load(file)), None)
    print(f"{error.json_path}: {error.message}" if error else "valid")
