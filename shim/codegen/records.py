"""Reads and checks the API records (shim/api/*.yml; fields: shim/README.md)."""
import dataclasses
import pathlib

import yaml

STATUSES = ("supported", "partial", "not_supported")
# The libraries of shim/libs; each has its records in <name>.yml.
VENDOR_LIBRARIES = ("mublas", "mublasLt", "mufft", "musolver", "musparse", "murand", "mtrtc")
API_FILES = ("runtime.yml", "driver.yml", "mccl.yml", *(f"{name}.yml" for name in VENDOR_LIBRARIES))


class RecordError(Exception):
    pass


@dataclasses.dataclass
class Api:
    functions: list
    errors: list
    attributes: list

    def library(self, name):
        return [f for f in self.functions if f["library"] == name]

    def libraries(self):
        return list(dict.fromkeys(f["library"] for f in self.functions))

    def vendor_libraries(self):
        return [name for name in self.libraries() if name in VENDOR_LIBRARIES]


def load(folder: pathlib.Path) -> Api:
    functions = []
    for name in API_FILES:
        path = folder / name
        if path.exists():
            functions += load_functions(path)
    errors = yaml.safe_load((folder / "errors.yml").read_text())["errors"]
    attributes = yaml.safe_load((folder / "device_attributes.yml").read_text())["attributes"]
    check_unique("error value", [e["value"] for e in errors])
    check_unique("attribute id", [a["id"] for a in attributes])
    check_unique("function", [f["name"] for f in functions])
    check_error_codes(functions, errors)
    return Api(functions, errors, attributes)


def load_functions(path):
    document = yaml.safe_load(path.read_text())
    if isinstance(document, list):
        document = {"apis": document}
    defaults = {k: v for k, v in document.items() if k != "apis"}
    result = []
    for record in document["apis"]:
        record = {"group": "other", "params": [], "errors": [], **defaults, **record}
        record["params"] = [parameter(p, path, record) for p in record["params"]]
        record.setdefault("symbol", record["name"])
        record.setdefault("cuda", cuda_name(record["name"]))
        check(record, path)
        result.append(record)
    return result


def parameter(entry, path, record):
    """{name: x, type: t[, default: d]} or the short form {x: t}."""
    if "type" in entry:
        return entry
    if len(entry) != 1:
        raise RecordError(f"{path.name}: {record['name']}: bad parameter {entry}")
    (name, kind), = entry.items()
    return {"name": name, "type": kind}


def cuda_name(name):
    for ours, theirs in (("mtrtc", "nvrtc"), ("musa", "cuda"), ("mccl", "nccl"), ("pmccl", "pnccl"), ("mu", "cu")):
        if name.startswith(ours):
            return theirs + name[len(ours):]
    return None


def check(record, path):
    where = f"{path.name}: {record.get('name', record)}"
    for field in ("name", "library", "status"):
        if field not in record:
            raise RecordError(f"{where}: no {field}")
    if record["status"] not in STATUSES:
        raise RecordError(f"{where}: status {record['status']} is not one of {', '.join(STATUSES)}")
    if record["library"] in VENDOR_LIBRARIES and record["status"] == "not_supported":
        raise RecordError(f"{where}: libraries of shim/libs have no stubs; leave the record out")
    if "forward" in record and record["status"] == "not_supported":
        raise RecordError(f"{where}: not supported, but forwarded")
    if record["status"] != "supported" and not record.get("reason"):
        raise RecordError(f"{where}: {record['status']} needs a reason")


def check_unique(what, values):
    seen = set()
    for value in values:
        if value in seen:
            raise RecordError(f"{what} {value} is listed twice")
        seen.add(value)


def check_error_codes(functions, errors):
    known = {e.get("runtime") for e in errors} | {e.get("driver") for e in errors} | {"sticky"}
    for function in functions:
        if function["library"] not in ("musa", "musart"):
            continue
        for error in function["errors"]:
            if error["code"] not in known:
                raise RecordError(f"{function['name']}: unknown error code {error['code']}")
