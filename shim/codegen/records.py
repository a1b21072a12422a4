"""Reads and checks the API records (shim/api/*.yml; fields: shim/README.md)."""
import dataclasses
import pathlib
import re

import yaml

STATUSES = ("supported", "partial", "not_supported")
# The libraries of shim/libs; each has its records in <name>.yml.
VENDOR_LIBRARIES = ("mublas", "mublasLt", "mufft", "mufftw", "musolver", "musparse", "murand", "mtrtc", "cufile", "mudnn")
API_FILES = ("runtime.yml", "driver.yml", "mccl.yml", *(f"{name}.yml" for name in VENDOR_LIBRARIES), "mublasXt.yml", "mudnn_graph.yml")


# Functions with sizes of `int` that have a form with sizes of 64 bits as well, NAME_64. Those of LAPACK have none.
LONG_FORMS = {"mublas": re.compile(r"mublas(?!\w*(?:getr[fis]|matinv|geqrf|gels|tpttr|trttp|[Rr]otm?g))\w+")}


class RecordError(Exception):
    pass


def read_yaml(path):
    """What is in a file. libyaml's loader, where Python has it, takes a sixth of the time."""
    return yaml.load(path.read_text(encoding="utf-8"), getattr(yaml, "CSafeLoader", yaml.SafeLoader))


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
    errors = read_yaml(folder / "errors.yml")["errors"]
    devices = read_yaml(folder / "device_attributes.yml")
    attributes = devices["attributes"]
    check_unique("error value", [e["value"] for e in errors])
    check_unique("attribute id", [a["id"] for a in attributes])
    check_unique("function", [f["name"] for f in functions])
    check_error_codes(functions, errors)
    return Api(functions, errors, attributes)


def load_functions(path):
    document = read_yaml(path)
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
        if has_long_form(record):
            result.append(long_form(record))
    return result


def has_long_form(record):
    pattern = LONG_FORMS.get(record["library"])
    if not pattern or not pattern.fullmatch(record["name"]) or not (record.get("forward") or record.get("long_form")):
        return False
    return any(p["type"] == "int" for p in record["params"])


def long_form(record):
    """Its sizes and increments, and places in vectors, have 64 bits."""
    wide = {"int": "int64_t", "int*": "int64_t*", "const int*": "const int64_t*"}
    new = {**record, "name": record["name"] + "_64", "symbol": record["symbol"] + "_64", "cuda": record["cuda"] + "_64",
           "params": [{**p, "type": wide.get(p["type"], p["type"])} for p in record["params"]],
           "narrowed": [p["name"] for p in record["params"] if p["type"] == "int"],
           "status": "partial", "reason": "sizes beyond 31 bits: NOT_SUPPORTED"}
    if "cuda_symbol" in record:
        new["cuda_symbol"] = record["cuda_symbol"] + "_64"
    return new


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
    if "vendor_absent" in record:
        raise RecordError(f"{where}: what the vendor's SDK lacks is in translator/mappings/vendor.yml")
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
