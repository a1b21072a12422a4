"""The schema of machines accepts and refuses what the library does. machine_schema_test.py SCHEMA MACHINES"""
import json
import pathlib
import sys
import unittest

import jsonschema
import yaml

SCHEMA = MACHINES = None
# What a schema cannot see: that two places are one, how many devices there are in all, and rules of YAML itself.
BEYOND = {"anchor", "key_twice", "link_twice", "link_to_nowhere", "no_yaml", "one_place_twice", "place_of_several", "too_many"}


class MachineSchemaTest(unittest.TestCase):
    def setUp(self):
        schema = json.loads(SCHEMA.read_text())
        jsonschema.Draft202012Validator.check_schema(schema)
        self.validator = jsonschema.Draft202012Validator(schema)

    def test_good_machines(self):
        for path in (MACHINES / "good").glob("*.yaml"):
            self.validator.validate(yaml.safe_load(path.read_text()))

    def test_bad_machines(self):
        names = {path.stem for path in (MACHINES / "bad").glob("*.yaml")}
        self.assertLess(BEYOND, names)
        for name in names - BEYOND:
            document = yaml.safe_load((MACHINES / "bad" / f"{name}.yaml").read_text())
            self.assertFalse(self.validator.is_valid(document), name)


if __name__ == "__main__":
    SCHEMA, MACHINES = map(pathlib.Path, sys.argv[1:3])
    unittest.main(argv=sys.argv[:1])
