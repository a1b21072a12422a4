"""musa::dnn's classes in public code are declared and tested: mudnn_classes_test.py. See mudnn_classes.yml."""
import pathlib
import re
import unittest

import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]
INVENTORY = ROOT.parent / "shared/data/native/mudnn_inventory.txt"
CLASSES = yaml.safe_load((pathlib.Path(__file__).parent / "mudnn_classes.yml").read_text())["classes"]


def withoutComments(text):
    return re.sub(r"/\*.*?\*/|//[^\n]*", "", text, flags=re.DOTALL)


def sources(folder, pattern):
    return {path: withoutComments(path.read_text()) for path in sorted((ROOT / folder).glob(pattern))}


HEADERS = "\n".join(sources("shim/include/mudnncxx", "*.h").values())
TESTS = sources("tests/libs/mudnn", "*.*")


def body(text, opening):
    """What is between the braces behind `opening`; None where it is not declared."""
    found = re.search(opening + r"[^;{]*\{", text)
    if not found:
        return None
    depth, at = 1, found.end()
    while depth:
        depth += {"{": 1, "}": -1}.get(text[at], 0)
        at += 1
    return text[found.end() : at - 1]


def classBody(name):
    return body(HEADERS, rf"\b(?:class|struct)\s+(?:MUDNN_CXX_API\s+)?{name}\b")


def valuesOf(name, enumeration):
    """Values of an enumeration of a class or of its base, of namespace dnn, or by an alias."""
    inside = HEADERS if enumeration == name else classBody(CLASSES[name].get("base", name))
    alias = re.search(rf"\busing\s+{enumeration}\s*=\s*(?:\w+::)*(\w+)::(\w+);", inside)
    if alias and alias.group(1) != "detail":
        return valuesOf(alias.group(1), alias.group(2))
    found = body(HEADERS if alias else inside, rf"\benum\s+class\s+{enumeration}\b")
    return set(re.findall(r"\b([A-Z]\w*)\b", found or ""))


def naming(name):
    """Tests that name the class."""
    return "\n".join(text for text in TESTS.values() if re.search(rf"\b{name}\b", text))


class MudnnClassesTest(unittest.TestCase):
    def test_each_is_declared(self):
        missing = []
        for name, record in CLASSES.items():
            if not re.search(rf"\b(?:class|struct|enum class|using)\s+(?:MUDNN_CXX_API\s+)?{name}\b", HEADERS):
                missing.append(name)
                continue
            methods = (classBody(name) or "") + (classBody(record["base"]) if "base" in record else "")
            missing += [f"{name}::{method}()" for method in record.get("methods", []) if not re.search(rf"\b{method}\(", methods)]
            for enumeration, values in record.get("values", {}).items():
                missing += [f"{name}::{enumeration}::{value}" for value in values if value not in valuesOf(name, enumeration)]
        self.assertEqual("\n".join(missing), "")

    def test_each_is_tested(self):
        missing = []
        for name, record in CLASSES.items():
            tests = naming(name)
            if not tests:
                missing.append(name)
            missing += [f"{name}::{method}()" for method in record.get("methods", []) if not re.search(rf"\b{method}\(", tests)]
            for enumeration, values in record.get("values", {}).items():
                through = record.get("all_of", {}).get(enumeration)
                if through:
                    self.assertRegex(tests, rf"TEST\w*\(\w+, {through}\)")
                    continue
                returned = record.get("returned", values)
                missing += [f"{name}::{enumeration}::{value}" for value in returned if not re.search(rf"::\s*{value}\b", tests)]
        self.assertEqual("\n".join(missing), "")

    def test_the_inventory_is_in_the_list(self):
        if not INVENTORY.is_file():
            self.skipTest(f"no {INVENTORY}")
        count, *lines = INVENTORY.read_text().splitlines()
        section, absent, classes = "CLASSES", [], []
        for line in filter(None, lines):
            if line in ("METHODS", "ENUMS"):
                section = line
                continue
            name, *rest = line.split()
            names = [word.rsplit(":", 1)[0] for word in rest]
            if section == "CLASSES":
                classes.append(name)
                absent += [] if name in CLASSES else [name]
                continue
            record = CLASSES[name.split("::")[0]]
            if section == "METHODS":
                known = set(record.get("methods", [])) | set(", ".join(record.get("explained", {})).split(", "))
            else:  # an enumeration's values, or a class's own enumerations and their values
                known = {value for values in record.get("values", {}).values() for value in values} | set(record.get("values", {}))
                known |= {"Mode", "FusedActivationDesc", "MatMulLtEpilogueMode"}
            absent += [f"{name} {word}" for word in names if word not in known]
        self.assertEqual(len(classes), int(count))
        self.assertEqual("\n".join(absent), "")


if __name__ == "__main__":
    unittest.main()
