"""The matrix instructions and SIMD operations of shim/api/vendor_instructions.yml, as C++ and as a table."""
import dataclasses
import re

import records

BITS = {"f16": 16, "bf16": 16, "tf32": 32, "e4m3": 8, "e5m2": 8, "s8": 8, "u8": 8}


def _index(variable, modes):
    """C++ of the part of an element's index that `variable` gives: lane, or number of a value."""
    terms, below = [], []
    for position, (extent, stride) in enumerate(modes):
        part = variable + "".join(f" / ({e})" for e in below)
        if position + 1 < len(modes):  # the last one has no more than its extent
            part += f" % ({extent})"
        terms.append(f"{part} * ({stride})")
        below.append(extent)
    return " + ".join(terms)


def _shapes(shapes):
    if isinstance(shapes, dict):
        return [(m, n, k) for m, n in shapes["across"] for k in shapes["along"]]
    return [(m, n, k) for m, n, along in shapes for k in along]


@dataclasses.dataclass
class Instructions:
    sources: dict
    layouts: dict
    families: list
    simd: dict
    functions: list

    def calls(self):
        """(name, template, its arguments behind the architecture) of `functions`."""
        for function in self.functions:
            for rank in function.get("ranks", [None]):
                yield function["name"].format(rank=rank), function["becomes"], f", {rank}" if rank else ""

    def operations(self):
        """(name, count, parameters, expression) of a function for each operation, form and number of elements."""
        for name, operation in self.simd["operations"].items():
            for form in operation["forms"]:
                for count in self.simd["counts"]:
                    letters = form or "v"
                    values = ["abc"[i] + ("[i]" if kind == "v" else "") for i, kind in enumerate(letters)]
                    parameters = ", ".join(("Vector " if kind == "v" else "float ") + "abc"[i] for i, kind in enumerate(letters))
                    yield f"{name}_bst{count}" + (form and "_" + form), count, parameters, operation["result"].format(*values)

    def layout_functions(self):
        """(name, index by lane, by number of a value). Names are not single letters, which programs have as macros."""
        return [(name, *(re.sub(r"\b([MNK])\b", r"k\1", _index(part, layout[part])) for part in ("lane", "value")))
                for name, layout in self.layouts.items()]

    def family(self, kind):
        return [f for f in self.families if f["kind"] == kind]

    def named(self):
        """One function for each record."""
        for family in self.family("named"):
            for record in family["records"]:
                for m, n, k in _shapes(record["shapes"]):
                    yield {**record, "M": m, "N": n, "K": k, "arch": family["arch"], "lanes": family["lanes"],
                           "name": family["names"].format(type=record["type"], M=m, N=n, K=k),
                           "bits": BITS[record["formats"][0]]}

    def numbered(self, kind):
        """(family, names with shapes): functions whose types are an argument."""
        for family in self.family(kind):
            places = dict.fromkeys(shape for record in family["records"] for shape in _shapes(record["shapes"]))
            names = {}
            for m, n, k in places:
                names.setdefault(family["names"].format(M=m, N=n, K=k), (m, n, k))
            yield family, names

    def types(self, kind):
        """(number, name, formats, shapes) of the instructions of that kind."""
        return [(*record["type"], record["formats"], _shapes(record["shapes"]))
                for family in self.family(kind) for record in family["records"]]

    def refused(self, kind):
        return [family["refused"] for family in self.family(kind) if "refused" in family]

    def rows(self):
        """Of the table: family, names, formats, shapes, layouts, sources."""
        for family in self.families:
            for record in family["records"]:
                layouts = family.get("layouts") or {operand: record[operand] for operand in "abd"}
                used = [name for name in self.layouts
                        if re.sub("_(along|across)$", "", name) in layouts.values()]
                grouped = {}
                for m, n, k in _shapes(record["shapes"]):
                    grouped.setdefault((m, n), []).append(str(k))
                shapes = ", ".join(f"{m}x{n}x{'/'.join(ks)}" for (m, n), ks in grouped.items())
                kind = record["type"] if isinstance(record["type"], str) else f"type {record['type'][0]}, {record['type'][1]}"
                yield family, kind, record["formats"], shapes, layouts, sorted({self.layouts[name]["source"] for name in used})


def load(folder):
    data = records.read_yaml(folder / "vendor_instructions.yml")
    for name, layout in data["layouts"].items():
        if layout["source"] not in data["sources"]:
            raise records.RecordError(f"vendor_instructions.yml: layout {name} has no source")
    return Instructions(data["sources"], data["layouts"], data["families"], data["simd"], data["functions"])
